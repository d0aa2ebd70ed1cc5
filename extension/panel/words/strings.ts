import { plural, type Texts } from '../../words/languages.ts';
import type { ShownGrant, ShownRefusal } from '../protocol.ts';
import type { Risk } from '../../../shared/policy/risks.ts';

/** What a risk is called in a list. */
const kinds: Readonly<Record<Risk, string>> = {
  read: 'reading',
  navigate: 'opening pages',
  input: 'typing and clicking',
  submit: 'sending forms',
  download: 'downloads',
  upload: 'uploads',
  dialog: 'answering dialogs',
  evaluate: 'scripts',
  capture_network: 'recording requests',
  crawl: 'crawling',
};

const scopes: Readonly<Record<ShownGrant['scope'], string>> = {
  once: 'for one call',
  always: 'for one call, and a rule for the next',
  task: 'until the session ends',
  site_hour: 'for an hour',
};

const refused: Readonly<Record<ShownRefusal['reason'], string>> = {
  not_the_window: 'It came from a page that decides nothing.',
  malformed: 'It was not a decision that a page of Spillway sends.',
  no_such_question: 'It was about a question that was never asked.',
  already_ended: 'Its question had ended.',
  not_shown: 'It was about another question than the one that was shown.',
  wrong_token: 'It did not have the proof that its page was shown the question.',
  too_early: 'It came within half a second.',
  scope_not_offered: 'It reached further than was offered.',
  not_editable: 'It changed arguments that cannot be changed.',
  not_held: 'A client answered a question that it was not to ask, or not any longer.',
  clients_off: 'A client answered, and you have not allowed clients to.',
  wrong_key: 'A server wanted a question that another server had asked, without its key.',
};

const number = new Intl.NumberFormat('en');
/** A number with its noun. */
const counted = (count: number, one: string, other: string): string =>
  `${number.format(count)} ${plural(count, { one, other })}`;

const now = {
  /** The buttons of one agent, and of all. */
  one: { pause: 'Pause', resume: 'Resume', stop: 'Stop', allowAgain: 'Allow again' },
  all: { pause: 'Pause all', resume: 'Resume all', stop: 'Stop all', allowAgain: 'Allow all again' },
  pauseOf: (who: string) => `Pause ${who}`,
  resumeOf: (who: string) => `Resume ${who}`,
  stopOf: (who: string) => `Stop ${who}`,
  allowAgainOf: (who: string) => `Allow ${who} again`,
  everyone: 'all agents',
  everySession: (name: string) => `all sessions of ${name}`,
  oneSession: (name: string, session: string) => `session ${session} of ${name}`,
  session: (id: string) => `Session ${id}`,
  tab: (tab: string) => `tab ${tab}`,
  idleSince: (time: string) => `last call at ${time}`,
  notYet: 'Connected. It has not called yet.',
  stoppedAt: (time: string) => `You stopped it at ${time}. Its calls fail until you allow it again.`,
  pausedAt: (time: string) => `You paused it at ${time}. Its calls wait.`,
  allStopped: 'You stopped all agents. Their calls fail until you allow them again.',
  allPaused: 'You paused all agents. Their calls wait.',
  damaged:
    'The list of agents that you stopped was damaged. Agents that may have been in it are stopped now. Allow those that may work.',
  absent: 'Stopped or paused, and not connected',
  of: (done: string, total: string) => `${done} of ${total}`,
  progressOf: (tool: string) => `Progress of ${tool}`,
} as const;

const events: Readonly<Record<string, string>> = {
  run_started: 'Run began',
  run_resumed: 'Run resumed',
  run_ended: 'Run ended',
  run_cancelled: 'Run cancelled',
  run_interrupted: 'Run interrupted',
};

const timeline = {
  events,
  states: {
    running: 'Running',
    ok: 'Done',
    failed: 'Failed',
    waiting: 'Waits for a person',
  },
  unknown: 'Not known',
  outcomes: { ok: 'Done', failed: 'Failed', pending: 'Waits for a person' },
  filters: 'What the timeline shows',
  allAgents: 'All agents',
  allTools: 'All tools',
  allOutcomes: 'All outcomes',
  allSessions: 'All sessions',
  exportSession: 'Export session',
  agent: 'Agent',
  tool: 'Tool',
  outcome: 'Outcome',
  site: 'Site',
  clear: 'Show all',
  reading: 'Reading…',
  nothing: 'No calls yet.',
  failed: 'The journal could not be read.',
  again: 'Try again',
  fresh: (count: number) => counted(count, 'new line', 'new lines'),
  close: 'Close',
  hint: 'What to do',
  message: 'Message',
  began: 'Began',
  ended: 'Ended',
  took: 'Took',
  size: 'Size',
  handle: 'Stored as',
  approvedBy: 'Approved by',
  callId: 'Call',
  session: 'Session',
} as const;

const meter = {
  tokens: 'Tokens',
  saved: 'Saved by handles',
  calls: 'Calls',
  size: 'Size',
  name: 'Name',
  agents: 'Agents',
  tools: 'Tools',
  failed: 'The figures could not be read.',
  estimated: (tokens: string) => `${tokens} of these tokens are estimated by size.`,
  used: (tokens: string) => `${tokens} tokens`,
  budgetOf: (agent: string) => `Budget of ${agent}`,
  left: (left: string, all: string) => `${left} of ${all} tokens left`,
  more: (tokens: string) => `Give ${tokens} more`,
  noBudget: 'No budget',
};

const faces = {
  answer: 'Show the answer',
  notKept: 'The server no longer keeps what this call answered.',
  notRead: 'What this call answered could not be read.',
  storedAs: 'Its output is stored as',
  openOutput: 'Open stored output',
  waiting: 'This call waits for you. Its question is at the top of the panel.',
  waited: 'This call waited for a person. Nothing is asked here any longer.',
  showQuestion: 'Show the question',
  lost: 'Its server has gone. How this call ended is not known here.',
  full: 'Full view',
  call: 'The call',
  notLoaded: 'The view of this tool could not be loaded. This is the general one.',
  broken: 'The view of this tool has failed. This is the general one.',
} as const;

const runs = {
  statuses: {
    queued: 'Queued',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    interrupted: 'Interrupted',
  },
  nothing: 'No runs yet. Crawls and other long work of agents appear here.',
  failed: 'The runs could not be read.',
  more: 'Show more',
  cancel: 'Cancel',
  cancelOf: (run: string) => `Cancel run ${run}`,
  resume: 'Resume',
  resumeOf: (run: string) => `Resume run ${run}`,
  progress: (done: string, queued: string, failed: string) =>
    `${done} done · ${queued} queued · ${failed} failed`,
  rate: (rate: string) => `${rate} per second`,
  items: (count: number) => counted(count, 'item', 'items'),
  began: (time: string) => `Began ${time}`,
  args: 'Arguments',
  argsLeft: (left: string) => `${left} more`,
  showItems: 'Show the items',
  hideItems: 'Hide the items',
  /** What a button says, and of which run. */
  ofRun: (button: string, run: string) => `${button}: ${run}`,
  openOutput: 'Open its output',
  whatToDo: 'What to do:',
  noItems: 'No items yet. They appear here as they come.',
  itemsFailed: 'The items could not be read.',
  earlierItems: 'Show earlier items',
  moreItems: (left: string) => `Show more: ${left} left`,
} as const;

const parts = {
  label: 'Parts of the panel',
  now: 'Now',
  timeline: 'Timeline',
  runs: 'Runs',
  outputs: 'Outputs',
  ledger: 'Ledger',
  meter: 'Meter',
  allowed: 'Allowed',
  settings: 'Settings',
  loading: 'Loading…',
  loadFailed: 'This part could not be loaded.',
  heldAgents: (count: number) => counted(count, 'decision to stop or pause', 'decisions to stop or pause'),
  activeRuns: (count: number) => counted(count, 'run is active', 'runs are active'),
  unacceptedTools: (count: number) =>
    counted(count, 'tool waits to be accepted', 'tools wait to be accepted'),
  newRefusals: (count: number) =>
    counted(count, 'decision that was not taken', 'decisions that were not taken'),
} as const;

/** The texts of the panel that the card does not have. */
export const english = {
  now,
  timeline,
  runs,
  meter,
  faces,
  parts,
  kinds,
  scopes,
  refused,
  connected: 'Connected',
  disconnected: 'Not connected',
  onlyShows: 'This tab only shows. Open the side panel from the icon of Spillway to decide, stop or revoke.',
  nothing: 'Nothing waits for you',
  nothingDetail: 'Agents ask here when they need your permission.',
  agents: 'Agents',
  noAgents: 'No agent is connected.',
  grants: 'What you allowed',
  noGrants: 'Nothing but what your rules allow.',
  rules: 'Rules for agents',
  until: (time: string) => `until ${time}`,
  revoke: 'Revoke',
  revokeOf: (agent: string, site: string) => `Revoke what ${agent} may do on ${site}`,
  noSite: 'pages without a site',
  refusals: 'Decisions that were not taken',
} as const;
export type PanelStrings = Texts<typeof english>;
