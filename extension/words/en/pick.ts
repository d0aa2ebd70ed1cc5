import { type Texts, catalogue } from '../languages.ts';

const pick = {
  start: 'Pick an element',
  again: 'Pick another',
  about: 'Point at an element of the page, and send it to an agent',
  pointing: 'Click an element of the page. Arrow up widens the choice, Escape cancels.',
  say: 'What should the agent know about it?',
  to: 'Agent',
  send: (agent: string) => `Send to ${agent}`,
  sent: (agent: string) => `Sent to ${agent}.`,
  cancel: 'Cancel',
  problems: {
    page_forbidden: 'Browsers keep extensions out of this page.',
    person_has_tab: 'You have taken over this tab. Give it back first.',
    policy_denied: 'Your rules keep this page from that agent.',
    page_changed: 'The page has changed. Pick the element again.',
    session_closed: 'That agent has ended its session.',
    browser_disconnected: 'That agent is no longer connected.',
    api_not_found: 'The server of that agent is older than this extension. Restart the agent.',
    other: 'That did not work. Try again.',
  },
};

export const pickTexts = catalogue<Texts<typeof pick>>(pick);
