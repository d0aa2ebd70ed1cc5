import { catalogue, sentence, text } from '../catalogue.ts';

const problems = {
  page_forbidden: 'Browsers keep extensions out of this page.',
  person_has_tab: 'You have taken over this tab. Give it back first.',
  browser_disconnected: 'That agent is no longer connected.',
  api_not_found: 'The server of that agent is older than this extension. Restart the agent.',
  other: 'That did not work. Try again.',
};

const pick = {
  start: 'Pick an element',
  again: 'Pick another',
  about: 'Point at an element of the page, and send it to an agent',
  pointing: 'Click an element of the page. Arrow up widens the choice, Escape cancels.',
  say: 'What should the agent know about it?',
  send: text('Send to {agent}'),
  sent: text('Sent to {agent}.'),
  problems: {
    ...problems,
    policy_denied: 'Your rules keep this page from that agent.',
    page_changed: 'The page has changed. Pick the element again.',
    session_closed: 'That agent has ended its session.',
  },
};

export const pickTexts = catalogue('pick', pick);

const record = {
  start: 'Record a recipe',
  about: 'Do something in the page once, and keep it as a recipe that agents can repeat',
  recording: 'Recording what you do in this window. Passwords are never recorded.',
  stop: 'Stop recording',
  steps: 'Recorded steps',
  nothing: 'Nothing recorded yet.',
  nothingLeft: 'No steps are left.',
  noUrl: 'Open an address that you enter each time.',
  opened: 'The page opens a new tab.',
  shows: sentence('At the end, the page shows {text}.'),
  empty: 'a text that you enter each time',
  among: text('It is number {nth} of {of} identical ones.'),
  near: sentence('It is near {place}.'),
  left: text({
    one: '{count} action cannot be repeated and was left out.',
    other: '{count} actions cannot be repeated and were left out.',
  }),
  hasAgent: 'An agent acted in a tab of this recording. What you did there at that moment is not recorded.',
  deniedSite: text('Not recorded: your rules keep {site} from agents.'),
  tool: text('Agents call it {name}.'),
  parameter: 'Ask for this text each time, as',
  parameterOf: text('Parameter of step {step}'),
  wrongName: 'A parameter takes letters, digits and _.',
  remove: text('Remove step {step}'),
  keep: 'Keep as recipe',
  discard: 'Discard',
  kept: text('Kept as {name}. Agents can call it now.'),
  again: 'Record another',
  noAgent: 'Connect an agent to keep it.',
  problems: {
    ...problems,
    policy_denied: 'Your rules keep this page from agents, so it is not recorded.',
    taken_over: 'You took a tab over. This is what you did until then.',
    tab_not_found: 'The tab was closed. This is what you did until then.',
    cancelled: 'The browser ended the recording. This is what you did until then.',
    recipe_exists: 'There is a recipe of this name already. Choose another.',
    recipe_invalid: 'The server refused the recipe. Choose another name.',
    recipe_has_secret: 'A step has what looks like a secret. Make it a parameter, or remove the step.',
    store_full: 'The folder of recipes is full.',
  },
};

export const recordTexts = catalogue('record', record);
export type RecordWords = ReturnType<typeof recordTexts>;
