import type { ClientSession } from '../core/context.ts';

/**
 * Follows the effects that a tool's calls have left in tabs, by their answers: they can end without a call. Call it
 * before a call reaches the tab.
 * @param isMeant whether the call itself ends something
 * @returns takes what the answer lists, and gives what has ended by itself
 */
export function leftInTabs() {
  const sessions = new WeakMap<ClientSession, Map<string, readonly string[]>>();
  return (session: ClientSession, tab: string, isMeant: (name: string) => boolean) => {
    const tabs = sessions.get(session) ?? new Map<string, readonly string[]>();
    sessions.set(session, tabs);
    const before = (tabs.get(tab) ?? []).filter((name) => !isMeant(name));
    tabs.set(tab, before);
    return (now: readonly string[]): readonly string[] => {
      tabs.set(tab, now);
      return before.filter((name) => !now.includes(name));
    };
  };
}

/** For the coverage of an answer. */
export const describeEnded = (ended: readonly string[]): readonly string[] =>
  ended.length === 0
    ? []
    : [`Ended meanwhile: ${ended.join(', ')}. The browser ended debugging, or a person had the tab.`];
