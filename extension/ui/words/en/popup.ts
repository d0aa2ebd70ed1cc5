import { common } from './common.ts';
import { type Texts, catalogue } from '../languages.ts';

const popup = {
  ...common,
  decide: 'Decide',
  debuggingCancelled: 'Debugging was cancelled',
  debuggingDetail:
    'Until you allow it again, agents cannot click, type, drag, upload, answer dialogs, record requests, read the console, or take pictures of a whole page or of a tab in the background.',
  give: (agent: string) => `Give this tab to ${agent}`,
  given: (agents: string) => `This tab is lent to ${agents}. Take it back in the side panel.`,
  openPanel: 'Open the side panel',
  panelDetail: 'Agents, questions and what you allowed',
  tag: (tag: string) =>
    `If several browsers of this kind are connected, agents know this one as “unnamed ${tag}”.`,
  connectedDetail: 'Agents on this computer can work in this browser.',
  ready: 'Ready',
  readyDetail: 'No agent is using this browser. Start yours, or add Spillway to it.',
  notSetUp: 'Not set up on this computer',
  uninstalled: 'Uninstalled from this computer',
  uninstalledDetail:
    'Agents cannot reach this browser. Install Spillway again, in a terminal, or remove this extension.',
  retryingIn: (seconds: number) => `Retrying in ${seconds} s`,
  debuggingAllowed: 'Debugging is allowed again.',
  questions: (count: number) =>
    count === 1 ? 'An agent is asking for your permission' : `${count} questions are waiting for you`,
  anAgent: 'An agent',
  stop: 'Stop',
  stopOf: (agent: string | null) => `Stop ${agent ?? 'all agents'}`,
  allowAgain: 'Allow again',
  allowAgainOf: (agent: string | null) => `Allow ${agent ?? 'all agents'} again`,
  server: (version: string) => `server ${version}`,
};

/** The page that opens after installation. */
const welcome = {
  title: 'Welcome to Spillway',
  intro:
    'Spillway lets agents on this computer work in this browser: in tabs that they open, and in tabs of yours that you lend them. They ask before they read one of yours.',
  pinTitle: 'Pin the icon',
  pin: 'Click the puzzle piece in the toolbar, then the pin next to Spillway. The icon shows the connection, and when an agent asks you something.',
  tryTitle: 'Try it',
  thenAsk: 'Then ask:',
  paste: 'An agent is connected. Give it one of these:',
  restart: (names: readonly string[]) =>
    `Spillway is in the settings of ${names.join(', ')}. Restart your agent, then give it one of these:`,
  others: 'Other clients',
  prompts: [
    'Open news.ycombinator.com in my browser, and summarise the five top stories.',
    'Ask me to lend you my current tab, read its page, and list what it asks me to do.',
    'Open wikipedia.org in my browser, search for ‘spillway’, and give me the first paragraph.',
  ] as readonly string[],
};

export const popupTexts = catalogue<Texts<typeof popup>>(popup);
export const welcomeTexts = catalogue<Texts<typeof welcome>>(welcome);
