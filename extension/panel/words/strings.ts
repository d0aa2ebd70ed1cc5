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
};

/** The texts of the panel that the card does not have. */
export const english = {
  kinds,
  scopes,
  refused,
  connected: 'Connected',
  disconnected: 'Not connected',
  onlyShows: 'This tab only shows. Open the side panel from the icon of Spillway to decide or revoke.',
  nothing: 'Nothing waits for you',
  nothingDetail: 'Agents ask here when they need your permission.',
  agents: 'Agents',
  noAgents: 'No agent is connected.',
  via: (version: string) => `server ${version}`,
  grants: 'What you allowed',
  noGrants: 'Nothing but what your rules allow.',
  rules: 'Rules for agents',
  until: (time: string) => `until ${time}`,
  revoke: 'Revoke',
  revokeOf: (agent: string, site: string) => `Revoke what ${agent} may do on ${site}`,
  noSite: 'pages without a site',
  refusals: 'Decisions that were not taken',
} as const;
export type PanelStrings = typeof english;
