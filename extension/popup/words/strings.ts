import { plural, type Texts } from '../../words/languages.ts';

/** The texts of the popup that do not change, by the `data-text` of their elements. */
const page = {
  connecting: 'Connecting…',
  tryAgain: 'Try again',
  decide: 'Decide',
  debuggingCancelled: 'Debugging was cancelled',
  debuggingDetail:
    'Until you allow it again, agents cannot click, type, drag, upload, answer dialogs, record requests, read the console, or take pictures of a whole page or of a tab in the background.',
  allowDebugging: 'Allow debugging again',
  agents: 'Agents',
  openPanel: 'Open the side panel',
  panelDetail: 'Agents, questions and what you allowed',
  browser: 'This browser',
  name: 'Name, to distinguish it from your other browsers',
  asks: 'Ask me before agents act on pages',
  clientAnswers: "Agents' own clients may answer (unverified)",
  rules: 'Rules for agents',
  language: 'Language',
  auto: 'As the browser',
} as const;

/** The texts of the popup in English. */
export const english = {
  page,
  copyCommand: 'Copy the command',
  copy: 'Copy',
  copied: 'Copied',
  saved: 'Saved',
  namePlaceholder: 'Work, Personal, …',
  connected: 'Connected',
  connectedDetail: 'Agents on this computer can work in this browser.',
  ready: 'Ready',
  readyDetail: 'No agent is using this browser. Start yours, or add Spillway to it:',
  notConnected: 'Not connected',
  notSetUp: 'Not set up on this computer',
  retryingIn: (seconds: number) => `Retrying in ${seconds} s`,
  debuggingAllowed: 'Debugging is allowed again.',
  questions: (count: number) =>
    plural(count, { one: 'An agent asks for your permission', other: `${count} questions wait for you` }),
  anAgent: 'An agent',
  server: (version: string) => `server ${version}`,
} as const;
export type PopupStrings = Texts<typeof english>;
