import type { ClientSession } from '../core/context.ts';

/** The effects that a tool's calls have left in tabs, by their answers: they can end without a call. */
export class LeftInTabs {
  readonly #sessions = new WeakMap<ClientSession, Map<string, readonly string[]>>();

  /**
   * Call before a call reaches the tab.
   * @param isMeant whether the call itself ends something
   * @returns takes what the answer lists, and gives what has ended by itself
   */
  follow(
    session: ClientSession,
    tab: string,
    isMeant: (name: string) => boolean,
  ): (now: readonly string[]) => readonly string[] {
    const tabs = this.#sessions.get(session) ?? new Map<string, readonly string[]>();
    this.#sessions.set(session, tabs);
    const before = (tabs.get(tab) ?? []).filter((name) => !isMeant(name));
    tabs.set(tab, before);
    return (now) => {
      tabs.set(tab, now);
      return before.filter((name) => !now.includes(name));
    };
  }
}

/** For the coverage of an answer. */
export const endedNotes = (ended: readonly string[]): readonly string[] =>
  ended.length === 0
    ? []
    : [`Ended meanwhile: ${ended.join(', ')}. The browser ended debugging, or a person had the tab.`];
