import browser from 'webextension-polyfill';
import type { LinkState } from '../link/host-link.ts';
import { addSection } from '../../ui/words/catalogue.ts';
import type { Language } from '../../ui/words/locale.ts';
import { commandOf, badgeTexts, faultTexts } from '../../ui/words/en/link.ts';

// A service worker imports nothing later, so it has its few texts in every language.
addSection('faults', import.meta.glob('../../ui/words/*.json', { import: 'faults', eager: true }));
addSection('badge', import.meta.glob('../../ui/words/*.json', { import: 'badge', eager: true }));

const colours = { on: '#1a7f4b', off: '#b42318', wait: '#6b7280', ask: '#9a5b00' } as const;

interface Badge {
  readonly text: string;
  readonly colour: string;
  readonly title: string;
}

interface Shown {
  readonly servers: number;
  readonly questions: number;
  /** A person has cancelled debugging. */
  readonly isCancelled: boolean;
  readonly isRecording?: boolean;
}

/** Short text, colour and tooltip for the toolbar. */
export function badgeOf(
  state: LinkState,
  { servers, questions, isCancelled, isRecording = false }: Shown,
  language: Language,
): Badge {
  const words = badgeTexts(language);
  // Most urgent: an agent waits.
  if (questions > 0)
    return {
      text: questions > 99 ? '99+' : String(questions),
      colour: isCancelled ? colours.off : colours.ask,
      title: `${words.questions({ count: questions })}${isCancelled ? ` ${words.cancelled}` : ''}`,
    };
  if (isRecording) return { text: 'rec', colour: colours.off, title: words.recording };
  if (state.kind === 'connected' && isCancelled)
    return { text: '!', colour: colours.off, title: `Spillway: ${words.cancelled}` };
  if (state.kind === 'connected')
    return { text: 'on', colour: colours.on, title: words.connected({ count: servers }) };
  const { fault } = state;
  if (fault === null) return { text: '…', colour: colours.wait, title: words.connecting };
  const { messages, remedies } = faultTexts(language);
  const message = fault.message ?? messages[fault.kind];
  const why = `${message} ${remedies[fault.kind]} (${commandOf(fault.kind, null)})`;
  const title = words.notConnected({ why });
  // Normal before the set-up and after an uninstall.
  if (fault.kind === 'host_not_found') return { text: '', colour: colours.wait, title };
  return { text: '!', colour: colours.off, title };
}

/** A browser that is shutting down rejects this, which does not matter. */
export async function showBadge({ text, colour, title }: Badge): Promise<void> {
  await Promise.allSettled([
    browser.action.setBadgeText({ text }),
    browser.action.setBadgeBackgroundColor({ color: colour }),
    browser.action.setBadgeTextColor({ color: '#ffffff' }),
    browser.action.setTitle({ title }),
  ]);
}
