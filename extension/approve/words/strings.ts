import type { Risk } from '../../../shared/policy/risks.ts';
import type { Scope } from '../../../shared/policy/decision.ts';
import { plural, type Texts } from '../../words/languages.ts';
import { say, type Part, type Quote, type Sentence } from '../../panel/ask/sentence.ts';

/** What an element is called in a sentence. */
interface TargetStrings {
  readonly ref: (ref: Quote) => Sentence;
  /** As the page names the element of a ref: `button Save`. */
  readonly named: (name: Quote) => Sentence;
  readonly text: (text: Part) => Sentence;
  readonly label: (label: Part) => Sentence;
  readonly placeholder: (text: Part) => Sentence;
  readonly role: (role: Part, name: Part | null) => Sentence;
  readonly selector: (selector: Quote) => Sentence;
  /** By their ARIA names; others are quoted. */
  readonly roles: Readonly<Record<string, string>>;
  readonly focused: Sentence;
}

const targets: TargetStrings = {
  ref: (ref) => say`element ${ref} of the page`,
  named: (name) => say`${name}`,
  text: (text) => say`${text}`,
  label: (label) => say`the field ${label}`,
  placeholder: (text) => say`the field that shows ${text}`,
  role: (role, name) => (name === null ? say`the ${role}` : say`the ${role} ${name}`),
  selector: (selector: Quote) => say`the element at ${selector}`,
  roles: {
    button: 'button',
    checkbox: 'checkbox',
    combobox: 'list',
    link: 'link',
    listbox: 'list',
    menuitem: 'menu item',
    option: 'option',
    radio: 'option',
    searchbox: 'search field',
    switch: 'switch',
    tab: 'tab',
    textbox: 'field',
  },
  focused: say`what has the focus`,
};

/** What the steps of `interact` do. */
const steps = {
  click: (target: Part) => say`Click ${target}.`,
  doubleClick: (target: Part) => say`Double-click ${target}.`,
  rightClick: (target: Part) => say`Right-click ${target}.`,
  tap: (target: Part) => say`Tap ${target}.`,
  hover: (target: Part) => say`Move the pointer over ${target}.`,
  focus: (target: Part) => say`Put the focus on ${target}.`,
  fill: (target: Part, value: Part) => say`Fill ${target} with ${value}.`,
  fillSecret: (target: Part, name: Part) =>
    say`Fill ${target} with your secret ${name}. The agent does not see it.`,
  clear: (target: Part) => say`Empty ${target}.`,
  type: (target: Part, value: Part) => say`Type ${value} into ${target}.`,
  press: (keys: Part) => say`Press ${keys} on the keyboard.`,
  pressOn: (target: Part, keys: Part) => say`Press ${keys} in ${target}.`,
  select: (target: Part, value: Part) => say`Choose ${value} in ${target}.`,
  check: (target: Part) => say`Tick ${target}.`,
  uncheck: (target: Part) => say`Remove the tick from ${target}.`,
  drag: (target: Part, to: Part) => say`Drag ${target} to ${to}.`,
  scroll: () => say`Scroll the page.`,
  wheel: (target: Part) => say`Turn the mouse wheel over ${target}.`,
  held: (step: Sentence, ms: number) => say`For ${String(ms)} ms: ${step}`,
  upload: (target: Part, files: Part) => say`Give the page a copy of ${files} through ${target}.`,
  submit: (target: Part) => say`Send the form of ${target}.`,
  submitFocused: () => say`Send the form.`,
  wait: (what: Part) => say`Wait for ${what}.`,
  with: (step: Sentence, keys: Part) => say`Holding ${keys}: ${step}`,
  sendsTo: (target: Part, site: Part) => say`The form of ${target} is sent to another site: ${site}.`,
  leadsTo: (target: Part, site: Part) => say`${target} leads to another site: ${site}.`,
  unknown: (line: Part) => say`A step that Spillway does not know: ${line}. It will be refused.`,
  more: (count: number) => say`And ${String(count)} more steps: see the arguments.`,
} as const;

/** What the tools do. */
const tools = {
  goto: (url: Part) => say`Open ${url}.`,
  gotoNewTab: (url: Part) => say`Open ${url} in a new tab.`,
  back: () => say`Go back to the page before.`,
  forward: () => say`Go forward to the next page.`,
  reload: () => say`Load the page again.`,
  readPage: () => say`Read all text of the page, with what you see because you are signed in.`,
  readPart: (part: Part) => say`Read the part of the page at ${part}.`,
  find: (what: Part) => say`Look for ${what} in the page.`,
  screenshot: () => say`Take a picture of the page.`,
  screenshotFull: () => say`Take a picture of the whole page, also of what you have to scroll to.`,
  pictureOf: (part: Part) => say`Take a picture of ${part}.`,
  networkStart: () =>
    say`Record every request that the page makes from now on, with its answers. This includes what it sends to its own server.`,
  networkWithout: () =>
    say`Record the address and the headers of every request that the page makes from now on, without what it carries.`,
  networkFiles: () => say`Files and pictures are kept, too.`,
  networkRead: () => say`Read the requests that were recorded.`,
  console: () => say`Read the messages of the page's console.`,
  skeleton: () => say`Read how the page is built.`,
  extract: () => say`Read data from the page into a table.`,
  extractRun: (run: Part) => say`Read data from the pages that the crawl ${run} has read into a table.`,
  extractFields: (names: Sentence) => say`Of each record it reads ${names}.`,
  extractNext: (count: number) =>
    say`It goes to the next page again and again, up to ${String(count)} pages.`,
  extractScroll: () => say`It scrolls to the end first.`,
  fetch: (url: Part) => say`Load ${url} with your cookies, as if you had opened it, and read what comes.`,
  crawl: (url: Part) => say`Follow the links from ${url}, and read every page that they lead to.`,
  crawlMore: (urls: Sentence) => say`It starts at these addresses, too: ${urls}.`,
  crawlSitemap: (url: Part) => say`Read the pages that the sitemap ${url} lists.`,
  crawlAgain: (run: Part) => say`Continue the crawl ${run}, with the addresses and limits that it had.`,
  crawlOrigin: () => say`It stays on the sites that it starts at.`,
  crawlHost: () => say`It stays on the sites that it starts at and their subdomains.`,
  crawlLike: (globs: Sentence) => say`It reaches addresses like ${globs}, on any site that they name.`,
  crawlOnly: (globs: Sentence) => say`It follows links only to addresses like ${globs}.`,
  crawlNever: (globs: Sentence) => say`It follows no links to addresses like ${globs}.`,
  crawlPages: (count: number) => say`It stops after ${String(count)} pages.`,
  crawlDepth: (count: number) =>
    say`It reads no page that is more than ${plural(count, { one: '1 link', other: `${count} links` })} away from where it starts.`,
  crawlAnyRobots: () => say`It also reads what robots.txt asks programs not to read.`,
  evidence: () =>
    say`Save the page as evidence: its text and pictures, its cookies and storage, and what it loaded.`,
  dialogAccept: () => say`Press OK in the page's dialog.`,
  dialogText: (text: Part) => say`Answer the page's dialog with ${text}.`,
  dialogDismiss: () => say`Press Cancel in the page's dialog.`,
  waitFor: () => say`Wait until the page shows something.`,
  tabOpen: (url: Part) => say`Open a tab with ${url}.`,
  tabClose: () => say`Close the tab.`,
  tabActivate: () => say`Bring the tab to the front.`,
  tabList: () => say`Read the titles and addresses of all your tabs.`,
  evaluate: (script: Part) => say`Run this script on the page: ${script}`,
  evaluateUnknown: () => say`Run a script on the page.`,
  other: (title: Part) => say`Use the tool ${title}.`,
  unknownArgs: () => say`The arguments are too large to show, so what exactly will happen is not known.`,
} as const;

/** What a risk means to the person, one line each. */
const risks: Readonly<Record<Risk, string>> = {
  read: 'It can read what this page shows you.',
  navigate: 'It can lead the tab to another page.',
  input: 'It can type into the page and use its controls.',
  submit: 'It can send a form or press a button: buy, book, post or delete something.',
  download: 'It can save files to your computer.',
  upload: 'It can give the site files of your computer.',
  dialog: 'It can answer a question that the page asks you.',
  evaluate: 'It can do on this page whatever you can do there.',
  capture_network: 'It can see everything that the page sends and receives, passwords included.',
  crawl: 'It can open many pages of the site in a row.',
};

/** A risk as the title of a card. */
const asks: Readonly<Record<Risk, string>> = {
  read: 'Read this page?',
  navigate: 'Open this page?',
  input: 'Type and click on this page?',
  submit: 'Act for you on this page?',
  download: 'Save a file?',
  upload: 'Give this site a file?',
  dialog: 'Answer this dialog?',
  evaluate: 'Run a script on this page?',
  capture_network: 'Record what this page sends?',
  crawl: 'Read many pages of this site?',
};

/** Each as a choice, and on the button that allows. */
const scopes: Readonly<Record<Scope, { readonly name: string; readonly allow: string }>> = {
  once: { name: 'Only this time', allow: 'Allow once' },
  task: { name: 'Until this agent’s session ends', allow: 'Allow for this session' },
  site_hour: { name: 'For an hour', allow: 'Allow for an hour' },
  always: { name: 'Always (adds a rule)', allow: 'Always allow' },
};

const card = {
  title: 'Spillway',
  nothing: 'Nothing waits for you',
  nothingDetail: 'Agents ask here when they need your permission.',
  asks: 'asks',
  site: 'Site',
  pageTitle: 'The page calls itself',
  address: 'Address',
  will: 'What will happen',
  could: 'What else it could lead to',
  picture: 'A picture of the page. The page decides what it shows.',
  pictureAlt: 'The part of the page in which the agent wants to act, with the element in a frame',
  pictureComing: 'The picture is being taken…',
  args: 'Arguments',
  argsFor: (tool: string) => `Arguments of ${tool}`,
  argsEdit: 'You can change them. What you allow is what runs, and the agent is notified.',
  secretAt: 'can read, keep and send the secret.',
  secretOpen: 'The field does not take a password.',
  argsFixed: 'They cannot be changed here, because parts of them are secret or too long.',
  argsTooLarge: 'Too large to show.',
  stepsLabel: 'Steps, one a line',
  argsText: 'As text',
  argsNoFields: 'The fields could not be loaded. The arguments are below, as text.',
  reset: 'Undo my changes',
  edited: 'Changed by you',
  notJson: 'This is not JSON: ',
  notObject: 'The arguments have to be an object: { … }.',
  tooLong: 'That is too long.',
  scope: 'How long',
  lastingActs:
    'Beyond once: typing, clicking, sending forms, answering dialogs, saving files and recording requests on this site.',
  lastingKind: 'Beyond once: everything of this kind on this site.',
  allow: 'Allow',
  allowEdited: 'Allow with my changes',
  allowOne: 'Allow this one',
  deny: 'Deny',
  denyAll: (count: number) => `Deny all ${count}`,
  reason: 'Why not? (the agent reads it)',
  space: 'Enter allows nothing: use the mouse, or Tab and the space bar.',
  count: (count: number) => `1 of ${count} of this kind`,
  more: (count: number) =>
    plural(count, {
      one: '1 other question after this one',
      other: `${count} other questions after this one`,
    }),
  left: (minutes: number) => (minutes <= 1 ? 'Less than a minute left' : `${minutes} minutes left`),
  onlyShows:
    'You cannot decide in this tab. Only the window that Spillway opens and its side panel take decisions.',
  showWindow: 'Show the window',
  debuggingCancelled:
    'You cancelled debugging in this browser. Agents cannot click, type or record until you allow it again.',
  allowDebugging: 'Allow debugging again',
  notify: 'Notify me when an agent asks',
  appeared: (agent: string, ask: string) => `${agent} asks: ${ask}`,
  longHost: 'This is an unusually long address. The end of the bold part says whose site this is.',
  lookalike: 'Letters of this address may look like those of another one.',
  refused: {
    already_ended: 'That question had ended already.',
    not_shown: 'Another question has come first.',
    too_early: 'That was too fast to be an answer. Please decide again.',
  } satisfies Readonly<Record<string, string>>,
  refusedOther: 'That decision was not taken. Please decide again.',
} as const;

/** A tab that an agent asks a person to take over. */
const takeover = {
  label: 'A tab to take over',
  asks: 'asks you',
  title: 'Take over this tab?',
  why: 'Why, in the agent’s words',
  doneWhen: 'You are done when',
  yours: 'The tab is yours until then: agents can neither see it nor act in it, and nothing is recorded.',
  show: 'Show the tab',
  done: 'I’m done',
  decline: 'I can’t, or not now',
  reason: 'Why not? (the agent reads it)',
  space: 'Enter does not end it. Use the mouse, or Tab and the space bar.',
  more: (count: number) =>
    plural(count, { one: '1 more request after this one', other: `${count} more requests after this one` }),
  until: {
    click: say`you click on “I’m done”.`,
    orClick: say`You can also click on “I’m done”.`,
    all: say`and `,
    any: say`or `,
    text: (what: Quote) => say`the page shows ${what}.`,
    text_gone: (what: Quote) => say`the page no longer shows ${what}.`,
    target: (what: Quote) => say`the page has an element at ${what}.`,
    target_gone: (what: Quote) => say`the page no longer has an element at ${what}.`,
    url: (what: Quote) => say`the address of the page matches ${what}.`,
  },
} as const;

/** A question that an agent asks a person. */
const ask = {
  label: 'A question for you',
  title: 'A question for you',
  why: 'In the agent’s words',
  yours: 'The agent reads your answer. It allows nothing else. Never write a password here.',
  answer: 'Your answer',
  choose: 'Choose…',
  optional: 'optional',
  send: 'Send',
  yes: 'Yes',
  no: 'No',
  decline: 'Do not answer',
  reason: 'Why? (the agent reads it)',
} as const;

/** All texts of the page in one language. */
export const english = { targets, steps, tools, risks, asks, scopes, card, takeover, ask } as const;
export type Strings = Texts<typeof english>;
