import browser from 'webextension-polyfill';
import { BoundedMap } from '../../../shared/base/maps.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { ServerPort } from '../../core/handler.ts';
import { heardContext, listenForContext } from '../../core/in-page/contexts.ts';
import { injectionError } from '../../core/pages/targets.ts';
import type { InputTarget } from '../device.ts';

type ServedTab = Pick<InputTarget, 'tabId' | 'server' | 'signal'>;

/** More than a tab has frames. */
const CONTEXTS_KEPT = 1_000;
/** A busy page may miss the time of an announcement. */
const ANNOUNCEMENTS = 5;

/** The contexts of documents, which no document leaves. */
const contexts = new BoundedMap<string, string>(CONTEXTS_KEPT);
/** The servers that have not started this browser. */
const strangers = new WeakSet<ServerPort>();

async function learnContexts(tabId: number, server: ServerPort, signal: AbortSignal): Promise<void> {
  const name = `spillway-${crypto.randomUUID()}`;
  const target = { tabId, allFrames: true };
  const run = <T>(func: (name: string) => T) =>
    browser.scripting.executeScript({ target, injectImmediately: true, func, args: [name] });
  await run(listenForContext);
  await server.request('input.announce', { name }, signal);
  for (const { documentId, result } of await run(heardContext))
    if (documentId !== undefined && typeof result === 'string') contexts.set(documentId, result);
}

/** The context of a document; undefined if the page has not learnt it in time. */
export async function contextOf(
  documentId: string,
  { tabId, server, signal }: ServedTab,
): Promise<string | undefined> {
  for (let left = ANNOUNCEMENTS; left > 0 && !contexts.has(documentId); left -= 1)
    await learnContexts(tabId, server, signal);
  return contexts.get(documentId);
}

/**
 * The context of a tab, for commands to a server that has started this Firefox; null for any other server.
 * @throws SpillwayError `page_changed` if the page of the tab takes no script now
 */
export async function topContextOf(tab: ServedTab): Promise<string | null> {
  const { tabId, server, signal } = tab;
  if (strangers.has(server)) return null;
  try {
    const { documentId = '' } = (await browser.webNavigation.getFrame({ tabId, frameId: 0 })) ?? {};
    const top = await contextOf(documentId, tab);
    if (top !== undefined) return top;
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof SpillwayError)) throw injectionError(thrown, tabId, '');
    if (thrown.code !== 'api_not_found') throw thrown;
    strangers.add(server);
    return null;
  }
  throw new SpillwayError('page_changed', `The page of tab ${tabId} is loading, or takes no script.`);
}
