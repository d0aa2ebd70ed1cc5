import browser from 'webextension-polyfill';
import type { LinkState } from '../background/host-link.ts';

const colours = { on: '#1a7f4b', off: '#b42318', wait: '#6b7280', ask: '#9a5b00' } as const;

interface Badge {
  readonly text: string;
  readonly colour: string;
  readonly title: string;
}

interface Shown {
  readonly servers: number;
  /** That wait for a person. */
  readonly questions: number;
}

/** Short text, colour and tooltip for the toolbar. */
export function badgeOf(state: LinkState, { servers, questions }: Shown): Badge {
  // Nothing else is as urgent: an agent waits.
  if (questions > 0) {
    const what = questions === 1 ? 'An agent asks' : `${questions} questions wait`;
    return {
      text: questions > 99 ? '99+' : String(questions),
      colour: colours.ask,
      title: `Spillway: ${what} for your permission. Click to decide.`,
    };
  }
  if (state.kind === 'connected') {
    const who = servers === 0 ? 'no agent at the moment' : servers === 1 ? '1 server' : `${servers} servers`;
    return { text: 'on', colour: colours.on, title: `Spillway: connected, ${who}` };
  }
  const fault = state.fault;
  if (fault === null) return { text: '…', colour: colours.wait, title: 'Spillway: connecting' };
  const command = fault.command === null ? '' : ` (${fault.command})`;
  return {
    text: '!',
    colour: colours.off,
    title: `Spillway: not connected. ${fault.message} ${fault.remedy}${command}`,
  };
}

/** Shows the badge; a browser that is shutting down refuses, which no one has to know. */
export async function showBadge({ text, colour, title }: Badge): Promise<void> {
  await Promise.allSettled([
    browser.action.setBadgeText({ text }),
    browser.action.setBadgeBackgroundColor({ color: colour }),
    browser.action.setBadgeTextColor({ color: '#ffffff' }),
    browser.action.setTitle({ title }),
  ]);
}
