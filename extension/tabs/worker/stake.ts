import browser from 'webextension-polyfill';
import { waitAtMost } from '../../../shared/base/async.ts';
import { cut } from '../../../shared/base/cut.ts';
import type { AtStake } from '../../people/protocol.ts';
import * as z from 'zod/mini';
import { lookForWork } from '../../core/in-page/work.ts';
import type { Dialogs } from '../../act/worker/dialogs.ts';

/** A slower page is shown without. */
const LOOK_MS = 1_000;
const MAX_FIELDS = 3;
const NAME_UNITS = 60;
/** Shorter requests end before a person has read about them. */
const UPLOAD_MS = 500;
/** A form is sent by a navigation, a script by the others. */
const SENDERS = ['xmlhttprequest', 'main_frame', 'sub_frame', 'other'] as const;
const SENDS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Requests that send something and have no answer yet, in all tabs: a lent tab may have begun one before. */
export class RunningUploads {
  readonly #begun = new Map<string, { readonly tabId: number; readonly at: number }>();

  /** Call while the worker starts. */
  constructor() {
    const filter = { urls: ['<all_urls>'], types: [...SENDERS] };
    const ended = ({ requestId }: { readonly requestId: string }): void => void this.#begun.delete(requestId);
    browser.webRequest.onBeforeRequest.addListener(({ requestId, method, tabId }) => {
      if (tabId >= 0 && SENDS.has(method)) this.#begun.set(requestId, { tabId, at: performance.now() });
      return undefined;
    }, filter);
    // It has been sent once the answer begins, which may never end.
    browser.webRequest.onHeadersReceived.addListener((answer) => (ended(answer), undefined), filter);
    browser.webRequest.onCompleted.addListener(ended, filter);
    browser.webRequest.onErrorOccurred.addListener(ended, filter);
  }

  isIn(tabId: number): boolean {
    const now = performance.now();
    return [...this.#begun.values()].some((one) => one.tabId === tabId && now - one.at >= UPLOAD_MS);
  }
}

const Work = z.object({ fields: z.array(z.string()), isInCall: z.boolean() });

/** Work that a person would lose if a tab left its page: typed text, a running upload, an open dialog, a call, sound. */
export async function atStake(
  tabId: number,
  { uploads, dialogs }: { readonly uploads: RunningUploads; readonly dialogs: Pick<Dialogs, 'of'> },
): Promise<readonly AtStake[]> {
  const looking = browser.scripting.executeScript({
    target: { tabId, allFrames: true },
    injectImmediately: true,
    func: lookForWork,
  });
  const [answers, tab] = await Promise.all([
    waitAtMost(
      looking.catch(() => []),
      LOOK_MS,
    ),
    browser.tabs.get(tabId).catch(() => null),
  ]);
  const found = (answers ?? []).flatMap(({ result }) => Work.safeParse(result).data ?? []);
  const fields = found.flatMap((one) => one.fields);
  const isInCall = found.some((one) => one.isInCall);
  return [
    ...fields
      .slice(0, MAX_FIELDS)
      .map((name): AtStake => ({ kind: 'text', name: cut(name, NAME_UNITS).toWellFormed() })),
    ...(fields.length > MAX_FIELDS ? [{ kind: 'text', name: '' } as const] : []),
    ...(answers === undefined ? [{ kind: 'unknown' } as const] : []),
    ...(uploads.isIn(tabId) ? [{ kind: 'upload' } as const] : []),
    ...(dialogs.of(tabId) === null ? [] : [{ kind: 'dialog' } as const]),
    ...(isInCall ? [{ kind: 'call' } as const] : []),
    ...(!isInCall && tab?.audible === true ? [{ kind: 'sound' } as const] : []),
  ];
}
