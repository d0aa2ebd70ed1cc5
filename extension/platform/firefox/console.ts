import { z } from 'zod';
import browser, { type WebNavigation, type WebRequest } from 'webextension-polyfill';
import { defer, waitAtMost, withTimeout } from '../../../shared/base/async.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { injectionError, lateError } from '../../core/pages/targets.ts';
import { describeValues, noteCalls, noteErrors, readConsole } from '../../core/in-page/console.ts';
import * as chromium from '../chromium/console.ts';
import type { DebuggerLease } from '../chromium/debugger/sessions.ts';
import { listen } from './members.ts';

export type { ConsoleCall, ConsoleEvent, ExceptionThrown, LogEntry } from '../chromium/console.ts';
export type { RemoteObject, StackTrace } from '../chromium/console.ts';
export { onMessage } from '../chromium/console.ts';

const KEPT_MESSAGES = 1_000;
/** Longest time for which a response is held back. A document that takes longer begins without the script. */
const HOLD_MS = 2_000;

const Members = chromium.Properties.shape.result;
const insides = z.record(z.string(), Members);
const Noted = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), call: chromium.ConsoleCall, insides }),
  z.object({ kind: z.literal('exception'), thrown: chromium.ExceptionThrown, insides }),
  z.object({ kind: z.literal('log'), log: chromium.LogEntry, insides }),
]);
const Frame = z.array(Noted).max(KEPT_MESSAGES);

interface Recorded {
  readonly since: number;
  /** Of frames whose next document is held back, by frame. */
  readonly held: Map<number, () => void>;
  end(): void;
}

/** The tabs whose messages are noted. */
const tabs = new Map<number, Recorded>();
/** Members of objects, by the call that reads them. */
const insidesOf = new WeakMap<DebuggerLease, Map<string, z.infer<typeof Members>>>();

/** Scripts note the messages of a document from its start, as long as the tab is recorded. */
async function inject(target: { tabId: number; frameIds?: number[]; allFrames?: boolean }): Promise<void> {
  const here = { target, injectImmediately: true };
  await browser.scripting.executeScript({ ...here, func: describeValues });
  await browser.scripting.executeScript({ ...here, func: noteCalls, args: [KEPT_MESSAGES] });
  await browser.scripting.executeScript({ ...here, func: noteErrors });
}

async function record(tabId: number): Promise<Recorded> {
  const known = tabs.get(tabId);
  if (known !== undefined) return known;
  const held = new Map<number, () => void>();
  const filter: WebRequest.RequestFilter = {
    ...{ tabId, urls: ['<all_urls>'] },
    types: ['main_frame', 'sub_frame'],
  };
  const commit = (details: WebNavigation.OnCommittedDetailsType): void => {
    const { frameId } = details;
    if (details.tabId !== tabId) return;
    const go = (): void => held.get(frameId)?.();
    void inject({ tabId, frameIds: [frameId] }).then(go, go);
  };
  const hold = ({ requestId, frameId }: WebRequest.OnBeforeRequestDetailsType): void => {
    const { promise: entered, resolve } = defer<void>();
    const answer = browser.webRequest.filterResponseData(requestId);
    // Its document exists once the answer has begun, and runs nothing before it has data.
    answer.onstart = () => {
      answer.suspend();
      held.set(frameId, resolve);
      void waitAtMost(entered, HOLD_MS).then(() => answer.disconnect());
    };
  };
  const ends = [
    listen(browser.webNavigation.onCommitted, commit),
    listen(browser.webRequest.onBeforeRequest, hold, filter, ['blocking']),
    listen(browser.tabs.onRemoved, (removed: number) => {
      if (removed === tabId) endRecording(tabId);
    }),
  ];
  const recorded: Recorded = {
    ...{ since: Date.now(), held },
    end: () => {
      for (const end of ends) end();
      for (const go of held.values()) go();
    },
  };
  tabs.set(tabId, recorded);
  await inject({ tabId, allFrames: true }).catch((thrown: unknown) => {
    throw injectionError(thrown, tabId, '');
  });
  return recorded;
}

/** A person has the tab from now on, or it is gone. */
export function endRecording(tabId: number): void {
  tabs.get(tabId)?.end();
  tabs.delete(tabId);
}

/** From the first call for a tab on: no extension learns of earlier messages. */
export const useMessages: typeof chromium.useMessages = async (lease, work) => {
  const { tabId, signal } = lease;
  const { since } = await record(tabId);
  const asked = browser.scripting.executeScript({
    target: { tabId, allFrames: true },
    func: readConsole,
    injectImmediately: true,
  });
  const late = () => lateError(tabId, '', LIMITS.pageResponseTimeoutMs);
  const answers = await withTimeout(asked, LIMITS.pageResponseTimeoutMs, late, signal);
  const inside = new Map<string, z.infer<typeof Members>>();
  insidesOf.set(lease, inside);
  const messages = answers.flatMap(({ result, frameId }) => {
    const session = String(frameId);
    const noted = Frame.safeParse(JSON.parse(typeof result === 'string' ? result : '[]')).data ?? [];
    return noted.map(({ insides: within, ...message }) => {
      for (const [objectId, members] of Object.entries(within)) inside.set(`${session} ${objectId}`, members);
      return { ...message, session };
    });
  });
  return work(messages, since);
};

export const membersOf: typeof chromium.membersOf = async (lease, session, objectId) =>
  insidesOf.get(lease)?.get(`${session} ${objectId}`) ?? [];
