import browser from 'webextension-polyfill';
import { cut, cutUrl } from '../../../shared/cut.ts';
import type { ShownTakeover } from '../../approve/protocol.ts';
import type { Takeovers } from './takeovers.ts';

const TITLE_UNITS = 300;
const URL_UNITS = 2_000;

/** The tab that a card is about, if it still exists. */
export async function shownTab(tabId: number | null): Promise<{ title: string; url: string } | null> {
  const tab = tabId === null ? null : await browser.tabs.get(tabId).catch(() => null);
  return tab && { title: cut(tab.title ?? '', TITLE_UNITS), url: cutUrl(tab.url ?? '', URL_UNITS) };
}

/** The card of the current take-over; null without one. */
export async function describeTakeover(takeovers: Takeovers): Promise<Omit<ShownTakeover, 'token'> | null> {
  const { front } = takeovers;
  if (front === null) return null;
  const { id, caller, tab_id: tabId, message, ask, until, limit_ms: limitMs, asked_at, begun_at } = front;
  return {
    id,
    agent: { name: caller.name, version: caller.version ?? null },
    message,
    ask,
    until,
    ...((await shownTab(tabId)) ?? { title: '', url: '' }),
    endsAt: (asked_at ?? begun_at) + limitMs,
    more: takeovers.count - 1,
  };
}
