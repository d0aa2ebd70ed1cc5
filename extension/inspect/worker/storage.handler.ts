import { z } from 'zod';
import { cut } from '../../../shared/base/cut.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defined, type JsonObject } from '../../../shared/base/json.ts';
import { parseAs } from '../../../shared/base/json-schema.ts';
import { isAtOne, siteOf } from '../../../shared/core/policy/sites.ts';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { State, STATE_UNITS, type StoredEntry } from '../../../shared/inspect/storage.methods.ts';
import { cookiesOf, deleteCookie, setCookie, type BrowserCookie } from '../../platform/chromium/cookies.ts';
import { refusalOf } from '../../platform/chromium/debugger/send-command.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { jsonBytes, RESULT_BYTES } from '../../core/link/frame-room.ts';
import type { Create, HandlerContext } from '../../core/handler.ts';
import { getReadableTab, runInPage } from '../../core/pages/targets.ts';
import { topOf } from '../../core/policy/documents.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { changeWebStorage, listWebStorage } from '../../core/in-page/storage.ts';

/** As many as fit into an answer. */
const MAX_ENTRIES = 1_000;
const NAME_UNITS = 200;

const Listed = z.array(z.tuple([z.string(), z.string()]));
const Changed = z.union([z.int(), z.string()]);

/** The page of a tab, as judged by the rules. */
interface StoragePage {
  readonly tabId: number;
  readonly url: string;
  readonly documentId: string;
  /** Of the call. */
  readonly signal: AbortSignal;
}

/** The methods of `storage`. The debugger handles cookies; the rest is asked of the page in an isolated world. */
export const createHandlers: Create<
  'storage.list' | 'storage.change' | 'storage.export' | 'storage.import'
> = ({ debuggers }) => ({
  'storage.export': async ({ tab_id: tabId }, context) => {
    const page = await judgedPage(tabId, context, 'evaluate');
    const cookies = await debuggers.use(page.tabId, page.signal, (lease) => cookiesOf(lease, page));
    const [local, session] = [await storedIn(page, 'local'), await storedIn(page, 'session')];
    const state = State.parse({ cookies: [...cookies], local, session });
    expectFit(page, state);
    return { url: page.url, state };
  },
  'storage.import': async ({ tab_id: tabId, origin, state }, context) => {
    const page = await judgedPage(tabId, context, 'evaluate');
    if (new URL(page.url).origin !== origin) throw unavailable(page, `the state is of ${origin}.`);
    context.policy.began();
    await debuggers.use(page.tabId, page.signal, async (lease) => {
      for (const { domain, expires, ...cookie } of state.cookies) {
        page.signal.throwIfAborted();
        const isOfHost = !domain.startsWith('.');
        const more = { domain: isOfHost ? undefined : domain, expires: expires < 0 ? undefined : expires };
        await addCookie(lease, page, { ...cookie, ...more });
      }
    });
    let changed = state.cookies.length;
    for (const area of ['local', 'session'] as const) {
      changed += await changeStored(page, area, state[area]);
    }
    return { url: page.url, changed };
  },
  'storage.list': async ({ tab_id: tabId, areas }, context) => {
    const page = await judgedPage(tabId, context, 'read');
    let entries: StoredEntry[] = [];
    for (const area of areas) {
      if (area === 'cookies') {
        const cookies = await debuggers.use(page.tabId, page.signal, (lease) => cookiesOf(lease, page));
        entries = entries.concat(cookies.map(entryOf));
      } else {
        const listed = await storedIn(page, area);
        entries = entries.concat(listed.map(([name, value]) => ({ area, name, size_bytes: bytesOf(value) })));
      }
    }
    const shown = entries
      .slice(0, MAX_ENTRIES)
      .map((entry) => ({ ...entry, name: cut(entry.name, NAME_UNITS).toWellFormed() }));
    return { url: page.url, entries: shown, left_out: entries.length - shown.length };
  },
  'storage.change': async ({ tab_id: tabId, ...change }, context) => {
    const page = await judgedPage(tabId, context, 'evaluate');
    context.policy.began();
    const { area, name, value, sites } = change;
    if (sites.length > 0 && !isAtOne(sites, siteOf(page.url)))
      throw new SpillwayError('secret_refused', `The secret is for ${sites.join(', ')} alone.`);
    const changed =
      area === 'cookies'
        ? await debuggers.use(page.tabId, page.signal, (lease) => changeCookies(lease, page, change))
        : await changeStored(page, area, name === null ? null : [[name, value]]);
    return { url: page.url, changed };
  },
});

async function storedIn(page: StoragePage, area: 'local' | 'session'): Promise<z.infer<typeof Listed>> {
  const listed = parseAs(Listed, String(await inPage(page, listWebStorage, [area])));
  if (listed === null) throw unavailable(page);
  return listed;
}

/** @throws SpillwayError `storage_refused` */
async function changeStored(
  page: StoragePage,
  area: 'local' | 'session',
  entries: readonly (readonly [name: string, value: string | null])[] | null,
): Promise<number> {
  const texts = entries?.map(([name, value]): [string, string | null] => [
    JSON.stringify(name),
    value === null ? null : JSON.stringify(value),
  ]);
  const changed = Changed.parse(await inPage(page, changeWebStorage, [area, texts ?? null]));
  if (typeof changed === 'string') throw unavailable(page, changed);
  return changed;
}

/** It travels in one message. */
function expectFit(page: StoragePage, state: object): void {
  const units = JSON.stringify({ origin: new URL(page.url).origin, ...state }).length;
  if (units > STATE_UNITS)
    throw unavailable(page, `the state has ${units} characters, and ${STATE_UNITS} are exported.`);
  const sizeBytes = jsonBytes({ url: page.url, state });
  if (sizeBytes > RESULT_BYTES)
    throw unavailable(page, `the state has ${sizeBytes} bytes, and ${RESULT_BYTES} are exported.`);
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const unavailable = ({ tabId }: StoragePage, reason = 'The document has no storage.'): SpillwayError =>
  new SpillwayError('storage_refused', `Tab ${tabId}: ${reason}`);

/** Reads and changes apply to this document, not to a later one. */
async function judgedPage(
  tabId: number,
  { policy, signal }: HandlerContext,
  risk: Risk,
): Promise<StoragePage> {
  await getReadableTab(tabId);
  const top = await topOf(tabId);
  if (top === null || top.documentId === null)
    throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
  await policy.expect(top, [risk]);
  signal.throwIfAborted();
  return { tabId, url: top.url, documentId: top.documentId, signal };
}

const inPage = <Args extends unknown[]>(
  { tabId, documentId, url, signal }: StoragePage,
  func: (...args: Args) => unknown,
  args: Args,
): Promise<unknown> => runInPage({ target: { tabId, documentIds: [documentId] }, url, func, args, signal });

const entryOf = ({
  name,
  size,
  expires,
  httpOnly,
  sameSite,
  domain,
  path,
  secure,
}: BrowserCookie): StoredEntry => ({
  area: 'cookies',
  name,
  size_bytes: Math.max(0, size - bytesOf(name)),
  domain,
  path,
  secure,
  http_only: httpOnly,
  ...defined({
    same_site: sameSite,
    expires: expires < 0 ? undefined : new Date(expires * 1_000).toISOString(),
  }),
});

type Change = Omit<MethodParams<'storage.change'>, 'tab_id'>;

async function changeCookies(
  lease: DebuggerLease,
  page: StoragePage,
  { name, value, cookie }: Change,
): Promise<number> {
  if (value === null) {
    const gone = (await cookiesOf(lease, page)).filter((one) => name === null || one.name === name);
    for (const one of gone) await deleteCookie(lease, one);
    return gone.length;
  }
  const { domain, path, secure, http_only: httpOnly, same_site: sameSite, max_age_seconds: age } = cookie;
  const expires = age === undefined ? undefined : Date.now() / 1_000 + age;
  const named = { name: name ?? '', value, domain, path, secure, httpOnly, sameSite, expires };
  await addCookie(lease, page, named);
  return 1;
}

/** @throws SpillwayError `storage_refused` */
async function addCookie(
  lease: DebuggerLease,
  page: StoragePage,
  cookie: { readonly domain?: string | undefined } & JsonObject,
): Promise<void> {
  expectOwn(page, cookie.domain);
  const refused = (reason: string): string => `Tab ${page.tabId}: the browser refused the cookie. ${reason}`;
  const isSet = await setCookie(lease, { ...cookie, url: page.url }).catch((thrown: unknown) => {
    throw refusalOf(thrown, 'storage_refused', refused);
  });
  if (!isSet) throw new SpillwayError('storage_refused', refused(''));
}

/** The debugger would set it for any site, but the rules were asked about this one. */
function expectOwn(page: StoragePage, domain: string | undefined): void {
  if (domain === undefined) return;
  const { hostname } = new URL(page.url);
  const wanted = domain.replace(/^\./, '').toLowerCase();
  if (hostname !== wanted && !hostname.endsWith(`.${wanted}`))
    throw unavailable(page, `the page is of ${hostname}, and not of ${wanted}.`);
}
