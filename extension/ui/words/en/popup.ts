import { catalogue, text } from '../catalogue.ts';
import { commonTexts } from './common.ts';

const popup = {
  decide: 'Decide',
  debuggingCancelled: 'Debugging was cancelled',
  debuggingDetail:
    'Until you allow it again, agents cannot click, type, drag, upload, answer dialogs, record requests, read the console, or take pictures of a whole page or of a tab in the background.',
  give: text('Give this tab to {agent}'),
  given: text('This tab is lent to {agents}. Take it back in the side panel.'),
  openPanel: 'Open the side panel',
  panelDetail: 'Agents, questions and what you allowed',
  tag: text('If several browsers of this kind are connected, agents know this one as “unnamed {tag}”.'),
  connectedDetail: 'Agents on this computer can work in this browser.',
  ready: 'Ready',
  readyDetail: 'No agent is using this browser. Start yours, or add Spillway to it.',
  notSetUp: 'Not set up on this computer',
  uninstalled: 'Uninstalled from this computer',
  uninstalledDetail:
    'Agents cannot reach this browser. Install Spillway again, in a terminal, or remove this extension.',
  retryingIn: text('Retrying in {seconds} s'),
  debuggingAllowed: 'Debugging is allowed again.',
  questions: text({
    1: 'An agent is asking for your permission',
    other: '{count} questions are waiting for you',
  }),
  anAgent: 'An agent',
  stop: 'Stop',
  stopOf: text('Stop {agent}'),
  stopAll: 'Stop all agents',
  allowAgain: 'Allow again',
  allowAgainOf: text('Allow {agent} again'),
  allowAllAgain: 'Allow all agents again',
  server: text('server {version}'),
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
  restart: text('Spillway is in the settings of {names}. Restart your agent, then give it one of these:'),
  others: 'Other clients',
  prompts: [
    'Open news.ycombinator.com in my browser, and summarise the five top stories.',
    'Ask me to lend you my current tab, read its page, and list what it asks me to do.',
    'Open wikipedia.org in my browser, search for ‘spillway’, and give me the first paragraph.',
  ] as readonly string[],
};

export const popupTexts = catalogue('popup', popup, commonTexts);
export const welcomeTexts = catalogue('welcome', welcome);
