import { z } from 'zod';
import type { Caller } from '../../../shared/core/policy/call-facts.ts';
import { cut } from '../../../shared/base/cut.ts';
import { Queue } from '../../../shared/base/queue.ts';

/** Groups by server, session and window. They outlive the extension and the browser, which restores groups with new ids. */
const KEY = 'tabGroups';
const Stored = z.object({
  [KEY]: z
    .record(z.string(), z.object({ id: z.int(), title: z.string() }))
    .catch({})
    .default({}),
});
/** The browser's own colours except grey, which looks like none. */
const COLOURS = ['blue', 'red', 'yellow', 'green', 'pink', 'purple', 'cyan', 'orange'] as const;
const TITLE_UNITS = 40;

/** The session that opens a tab, and its server. */
interface Owner {
  readonly caller: Caller;
  readonly server: string;
}

/** The same for every session of an agent. */
function colourOf(name: string): (typeof COLOURS)[number] {
  let sum = 0;
  for (const unit of name) sum = (sum * 31 + (unit.codePointAt(0) ?? 0)) % 65_521;
  return COLOURS[sum % COLOURS.length] ?? 'blue';
}

/**
 * Tabs that a session opens join a group with the agent's name, one per window. A tab is put there once, when
 * it opens: if a person takes it out, it stays out, and their own groups are left alone. The browser removes
 * a group with its last tab.
 */
export class TabGroups {
  /** One at a time: two tabs that open at once belong to one group. */
  readonly #turns = new Queue(1);

  /** Puts a new tab into its session's group; if that fails, the tab stays as it is. Never throws. */
  add(tabId: number, owner: Owner): Promise<void> {
    return this.#next(() => addToGroup(tabId, owner));
  }

  /**
   * Ungroups the tabs of ended servers, which removes their groups. Never throws.
   * @param known which may have ended; all by default
   */
  keepOf(servers: readonly string[], known: readonly string[] = ['']): Promise<void> {
    const isOf = (key: string, of: readonly string[]): boolean =>
      of.some((server) => key.startsWith(server && `${server}:`));
    return this.#next(() => dissolve((key) => isOf(key, known) && !isOf(key, servers)));
  }

  /** The same for the tabs of one session. */
  end(server: string, session: string): Promise<void> {
    return this.#next(() => dissolve((key) => key.startsWith(`${server}:${session}:`)));
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#turns.add(work).catch(() => undefined);
  }
}

async function dissolve(hasEnded: (key: string) => boolean): Promise<void> {
  const stored = Object.entries(Stored.parse(await chrome.storage.local.get(KEY))[KEY]);
  const ended = stored.filter(([key]) => hasEnded(key));
  if (ended.length === 0) return;
  await chrome.storage.local.set({ [KEY]: Object.fromEntries(stored.filter(([key]) => !hasEnded(key))) });
  const kept = stored.flatMap(([key, { id }]) => (hasEnded(key) ? [] : [id]));
  const open = await chrome.tabGroups.query({});
  for (const [, group] of ended) {
    const same = open.filter(({ id }) => id === group.id);
    const restored = restoredOf(open, group.title, kept);
    for (const { id: groupId } of same.length > 0 ? same : restored) {
      const [first, ...others] = (await chrome.tabs.query({ groupId })).flatMap(({ id }) => id ?? []);
      if (first !== undefined) await chrome.tabs.ungroup([first, ...others]);
    }
  }
}

/** Groups with a title that the browser has restored: with the looks of an agent's, and new ids. */
const restoredOf = (open: readonly chrome.tabGroups.TabGroup[], wanted: string, known: readonly number[]) =>
  open.filter(
    ({ id, title, color }) => title === wanted && color === colourOf(wanted) && !known.includes(id),
  );

/** Whether a tab is in a group with the looks of an agent's. */
export async function isGroupOf(tabId: number, agent: string): Promise<boolean> {
  const { groupId } = await chrome.tabs.get(tabId);
  if (groupId === chrome.tabGroups.TAB_GROUP_ID_NONE) return false;
  const { title, color } = await chrome.tabGroups.get(groupId);
  const wanted = titleOf(agent);
  return title === wanted && color === colourOf(wanted);
}

const titleOf = (agent: string): string => cut(agent, TITLE_UNITS).toWellFormed();

async function addToGroup(tabId: number, { server, caller }: Owner): Promise<void> {
  const { windowId, groupId } = await chrome.tabs.get(tabId);
  // A tab that opened next to a grouped tab is already in that group.
  if (groupId !== chrome.tabGroups.TAB_GROUP_ID_NONE) return;
  const { type } = await chrome.windows.get(windowId);
  if (type !== 'normal') return;
  const own = `${server}:${caller.session}:`;
  const key = `${own}${windowId}`;
  const stored = Stored.parse(await chrome.storage.local.get(KEY))[KEY];
  const open = await chrome.tabGroups.query({ windowId });
  const title = titleOf(caller.name);
  const known = Object.values(stored).map((group) => group.id);
  // A restart of the browser changes the ids of windows too.
  const isRestored = Object.keys(stored).some((other) => other.startsWith(own));
  // A person may have moved the group to another window.
  const group =
    open.find((each) => each.id === stored[key]?.id) ??
    (isRestored ? restoredOf(open, title, known)[0] : undefined);
  const id = await chrome.tabs.group({
    tabIds: [tabId],
    ...(group === undefined ? { createProperties: { windowId } } : { groupId: group.id }),
  });
  if (group === undefined) await chrome.tabGroups.update(id, { title, color: colourOf(title) });
  await chrome.storage.local.set({ [KEY]: { ...stored, [key]: { id, title } } });
}

/**
 * Kills the page of a tab, whatever its process is doing, and keeps the tab with its history.
 * @returns the tab's current number: the browser may change it
 * @throws if the browser does not discard the tab
 */
export async function discardTab(tabId: number): Promise<number> {
  const tab = await chrome.tabs.discard(tabId);
  if (tab?.id === undefined) throw new Error(`Tab ${tabId} was not discarded.`);
  return tab.id;
}
/** The last focused normal window, or null if none is open. */
export async function lastFocusedWindow(): Promise<number | null> {
  try {
    // Without `windowTypes` this could be a window of developer tools or an application.
    const found = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    if (found.id !== undefined && found.type === 'normal') return found.id;
  } catch {
    // Chrome rejects when there is no such window; another normal one may still be open.
  }
  const [first] = await chrome.windows.getAll({ windowTypes: ['normal'] });
  return first?.id ?? null;
}
