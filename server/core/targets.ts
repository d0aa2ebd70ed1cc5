import type {
  MethodName,
  MethodParams,
  MethodResult,
  StreamMethodName,
} from '../../shared/core/bridge/methods.ts';
import { TAB_SHOWN, type TabInfo } from '../../shared/core/bridge/page.ts';
import { SpillwayError, UNKNOWN_OUTCOME, invalidArgument, type ErrorCode } from '../../shared/base/errors.ts';
import type { CallContext } from './context.ts';
import { cut, cutUrl } from '../../shared/base/cut.ts';
import { defined, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import type { Bridge, BrowserId, BrowserState, BridgeStream } from './services.ts';
import { defer, waitAtMost } from '../../shared/base/async.ts';
import { withResult } from '../../shared/base/queue.ts';
import type { Outcome } from './result.ts';
import { parseJson } from '../../shared/base/json-schema.ts';

/** A tab that a call works on. */
export interface TabTarget {
  readonly browser: BrowserId;
  readonly tabId: number;
}

/** `b1:42`. */
export const formatTabId = (target: TabTarget): string => `${target.browser}:${target.tabId}`;

/** Reads `b1:42`. @throws SpillwayError `invalid_argument` */
export function parseTabId(tab: string): TabTarget {
  const [browser, id] = tab.split(':');
  if (browser === undefined || id === undefined || !/^b\d+$/.test(browser))
    throw invalidArgument(`tab: "${cut(tab, 40)}" is not a tab id such as b1:42.`);
  return { browser: `b${Number(browser.slice(1))}`, tabId: Number(id) };
}

/** Name, version and label, by which a person distinguishes two browsers. */
function describeBrowser(browser: BrowserState): string {
  const { name, version, label } = browser.facts;
  return `${browser.id} (${name} ${version}${label === null ? '' : `, "${label}"`})`;
}

/**
 * The browser that a call means: the named one, or the only one.
 * @throws SpillwayError `browser_not_connected`, `browser_not_found`, `browser_disconnected`,
 *   `browser_ambiguous` with the choices.
 */
export async function resolveBrowser(
  bridge: Bridge,
  named: string | undefined,
  signal: AbortSignal,
): Promise<BrowserId> {
  const connected = await findConnected(bridge, named, signal);
  const [only, second] = connected;
  if (only === undefined) throw new SpillwayError('browser_not_connected', 'No browser is connected.');
  if (second === undefined) return only.id;
  throw new SpillwayError(
    'browser_ambiguous',
    `Several browsers are connected: ${connected.map(describeBrowser).join(', ')}.`,
  );
}

/** The connected browsers that a list covers: the named one, or all. */
export async function findConnected(
  bridge: Bridge,
  named: string | undefined,
  signal: AbortSignal,
): Promise<readonly BrowserState[]> {
  await bridge.ready({ signal });
  const known = bridge.browsers();
  return named === undefined ? known.filter(({ connected }) => connected) : [findBrowser(named, known)];
}

function findBrowser(named: string, known: readonly BrowserState[]): BrowserState {
  const found = known.find((browser) => browser.id === named);
  if (found === undefined) {
    const choices = known.map(describeBrowser).join(', ') || 'none';
    throw new SpillwayError('browser_not_found', `There is no browser ${named}; known: ${choices}.`);
  }
  if (!found.connected)
    throw new SpillwayError('browser_disconnected', `Browser ${describeBrowser(found)} is not connected.`);
  return found;
}

/** The arguments by which a caller names a tab. */
export interface TabChoice {
  readonly tab?: string | undefined;
  readonly browser?: string | undefined;
}

/**
 * The tab that a call means, as {@link findTab} finds it, for a call that works in it. A tab named by its id
 * becomes the client's current tab once the call has succeeded, which proves that it exists; the user's front
 * tab does not, so that no later call takes it over.
 */
export async function resolveTab(
  bridge: Bridge,
  choice: TabChoice,
  context: CallContext,
): Promise<TabTarget | null> {
  const target = await findTab(bridge, choice, context);
  if (target !== null) context.keepState(() => ({ tab: formatTabId(target) }));
  if (target !== null && choice.tab !== undefined && choice.tab !== 'active')
    context.registerAfterCompletion(({ isSuccess }) => {
      if (isSuccess) adoptTab(context, target);
    });
  return target;
}

/**
 * The tab of a call that requires one, as {@link resolveTab} finds it.
 * @throws SpillwayError `no_current_tab` too
 */
export async function requireTab(
  bridge: Bridge,
  choice: TabChoice,
  context: CallContext,
): Promise<TabTarget> {
  const target = await resolveTab(bridge, choice, context);
  if (target !== null) return target;
  throw new SpillwayError('no_current_tab', 'No tab was passed and there is no current tab.');
}

/**
 * The named tab, the user's front tab for "active", or the client's current tab. Null if the call names none
 * and the client has none.
 * @throws SpillwayError also if no browser can be reached
 */
export async function findTab(
  bridge: Bridge,
  choice: TabChoice,
  context: CallContext,
): Promise<TabTarget | null> {
  if (choice.tab === 'active') {
    const browser = await resolveBrowser(bridge, choice.browser, context.signal);
    const { tab } = await bridge.request(browser, 'tabs.active', {}, context);
    return { browser, tabId: tab.id };
  }
  const name = choice.tab ?? context.session.currentTab;
  if (name === null) {
    // There is no tab because no browser could be reached.
    await bridge.ready({ signal: context.signal });
    return null;
  }
  const target = parseTabId(name);
  if (choice.browser !== undefined && choice.browser !== target.browser) {
    if (choice.tab === undefined) return null;
    throw invalidArgument(`browser: tab ${name} is not in browser ${choice.browser}.`);
  }
  if (choice.tab === undefined) await expectCurrent(bridge, target, context);
  else await resolveBrowser(bridge, target.browser, context.signal);
  return target;
}

/** A host or a worker that was ended is back sooner; a browser that was ended has lost its tabs. */
const RETURN_MS = 2_000;

/** The current tab belonged to a browser that is not coming back: reported once, then forgotten. */
async function expectCurrent(bridge: Bridge, target: TabTarget, context: CallContext): Promise<void> {
  await bridge.ready({ signal: context.signal });
  const { browser } = target;
  if (await browserWithin(bridge, ({ id }) => id === browser, RETURN_MS, context.signal)) return;
  forgetTab(target, context);
  const name = formatTabId(target);
  throw new SpillwayError(
    'browser_disconnected',
    `Browser ${target.browser} disconnected, and your current tab ${name} with it.`,
    { hint: 'Call navigate with a url to open a new tab.' },
  );
}

/** A connected browser of this kind, which may take a moment to come. @throws the signal's reason */
export async function browserWithin(
  bridge: Bridge,
  isWanted: (browser: BrowserState) => boolean,
  ms: number,
  signal: AbortSignal,
): Promise<BrowserState | undefined> {
  const find = (): BrowserState | undefined =>
    bridge.browsers().find((browser) => browser.connected && isWanted(browser));
  if (find() !== undefined) return find();
  const { promise: returned, resolve } = defer<void>();
  const stopListening = bridge.onChange(() => {
    if (find() !== undefined) resolve();
  });
  await waitAtMost(returned, ms, signal).finally(stopListening);
  return find();
}

/**
 * Runs a call on a tab. If the tab no longer exists, the error names it, and a client whose current tab it
 * was no longer has one; the call never falls back to another tab.
 */
export async function onTab<T>(target: TabTarget, context: CallContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw explainTab(thrown, target, context);
  }
}

interface OnTab {
  readonly bridge: Bridge;
  readonly target: TabTarget;
  readonly context: CallContext;
}

/** One RPC about a tab, with the errors of {@link onTab}. @param waitMs the longest silence, if not the default */
export const askTab = <M extends MethodName>(
  { bridge, target, context }: OnTab,
  method: M,
  params: MethodParams<M>,
  waitMs?: number,
  onSend?: () => void,
): Promise<MethodResult<M>> =>
  onTab(target, context, () =>
    bridge.request(target.browser, method, params, {
      call: context.call,
      signal: context.signal,
      ...defined({ idleTimeoutMs: waitMs, onSend }),
    }),
  );

/** The same for an act, with the errors of {@link actOnce}. */
export const actInTab = <M extends MethodName>(
  on: OnTab,
  method: M,
  params: MethodParams<M>,
  waitMs?: number,
): Promise<MethodResult<M>> => actOnce('it', (onSend) => askTab(on, method, params, waitMs, onSend));

/** Errors that end a call without an answer from the browser. */
const LOST: ReadonlySet<ErrorCode> = new Set(['browser_disconnected', 'timeout']);

/**
 * Sends an act. If it was sent and its answer is lost, it may have been done, wholly or in part: the error says so, since calling
 * again could do it twice. Other errors pass through.
 * @param what may have been done
 */
export async function actOnce<T>(what: string, send: (onSend: () => void) => Promise<T>): Promise<T> {
  let isSent = false;
  try {
    return await send(() => (isSent = true));
  } catch (thrown) {
    if (!isSent || !(thrown instanceof SpillwayError) || !LOST.has(thrown.code)) throw thrown;
    const message = `${thrown.message} The outcome is unknown: ${what} may have been done.`;
    const hint =
      'Read the page to see what was done before you act again; if its browser has exited, open the page with navigate.';
    throw new SpillwayError(thrown.code, message, { hint, ...UNKNOWN_OUTCOME, cause: thrown });
  }
}

/**
 * A failure on a tab under the client's name for it (`b1:42` for the worker's 42), and the consequences of a
 * lost tab.
 */
export function explainTab(thrown: unknown, target: TabTarget, context: CallContext): unknown {
  if (!(thrown instanceof SpillwayError)) return thrown;
  const name = formatTabId(target);
  if (thrown.code !== 'tab_not_found')
    return thrown.with({ message: nameTabs(thrown.message, target, thrown.tabId) });
  const wasCurrent = context.session.currentTab === name;
  forgetTab(target, context);
  const message = `Tab ${name} is gone${wasCurrent ? ', which was your current tab' : ''}.`;
  const next = 'Call navigate with a url to open a new tab, or tabs to see the open ones.';
  const hint = wasCurrent ? next : undefined;
  return new SpillwayError('tab_not_found', message, { cause: thrown, hint });
}

/** The worker's text with names of tabs instead of numbers: of the tab in question, and of another one. */
export function nameTabs(text: string, target: TabTarget, otherId?: number): string {
  const ids = [target.tabId, otherId].filter((id) => id !== undefined).join('|');
  return text.replaceAll(
    new RegExp(`\\b([Tt]ab) (${ids})\\b`, 'g'),
    (_all, word: string, id: string) => `${word} ${formatTabId({ ...target, tabId: Number(id) })}`,
  );
}

/** The tab now belongs to the client, as its current one. */
export function adoptTab(context: CallContext, target: TabTarget): void {
  const name = formatTabId(target);
  context.session.currentTab = name;
  context.session.tabs.add(name);
}

/** A tab that the client's call has opened becomes its current one, and is known to be its own. */
export function adoptOpenedTab(context: CallContext, target: TabTarget): void {
  adoptTab(context, target);
  context.session.openedTabs.add(formatTabId(target));
}

/**
 * A tab that opened while a call acted in another one. It belongs to the client, and counts as its own if the
 * other one does; the current tab stays.
 */
export function addOpenedTab(context: CallContext, from: TabTarget, target: TabTarget): void {
  context.session.tabs.add(formatTabId(target));
  if (hasOpened(context, from)) context.session.openedTabs.add(formatTabId(target));
}

/** Whether a call of the client has opened the tab. A tab that it only named may be a person's. */
export const hasOpened = ({ session }: CallContext, target: TabTarget): boolean =>
  session.openedTabs.has(formatTabId(target));

/** Drops the tab from the session. */
export function forgetTab(target: TabTarget, { session }: CallContext): void {
  const name = formatTabId(target);
  session.tabs.delete(name);
  session.openedTabs.delete(name);
  if (session.currentTab === name) session.currentTab = null;
}

/** A tab as tools show it: bounded, so that a receipt stays small. */
export function describeTab(browser: BrowserId, tab: TabInfo): { tab: string; url: string; title: string } {
  return {
    tab: formatTabId({ browser, tabId: tab.id }),
    url: cutUrl(tab.url, TAB_SHOWN.url),
    title: cut(tab.title, TAB_SHOWN.title),
  };
}

/** With the address of the page that the text comes from. */
export interface TabOutcome extends Outcome {
  readonly state: JsonObject & { readonly url: string };
}

interface TabStreamOptions<M extends StreamMethodName> {
  readonly target: TabTarget;
  readonly context: CallContext;
  /** @param tab the tab as the client knows it */
  readonly outcomeOf: (tab: string, result: MethodResult<M>) => TabOutcome;
}

/** A tool's stream from a tab: its texts, for the payload, and its result. */
export interface TabStream {
  readonly chunks: AsyncIterableIterator<string>;
  readonly produced: { readonly outcome: () => Outcome; readonly untrustedFrom: () => string | undefined };
}

/** Reads a stream from a tab, which fails in the words of `explainTab`. Its outcome is asked for once it was read. */
export function readTabStream<M extends StreamMethodName>(
  stream: BridgeStream<M>,
  { target, context, outcomeOf }: TabStreamOptions<M>,
): TabStream {
  const { values, result } = withResult(stream);
  let outcome: TabOutcome | undefined;
  let units = 0;
  context.keepState(() => (units === 0 ? {} : { characters_read: units }));
  async function* chunks(): AsyncGenerator<string> {
    try {
      for await (const text of values) {
        units += text.length;
        yield text;
      }
    } catch (thrown) {
      throw explainTab(thrown, target, context);
    }
  }
  return {
    chunks: chunks(),
    produced: {
      outcome: () => (outcome ??= outcomeOf(formatTabId(target), result())),
      untrustedFrom: () => outcome?.state.url,
    },
  };
}

function parseLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new SpillwayError('stream_corrupt', 'An item of the stream is not JSON.', { cause });
  }
}

/** Turns text chunks, cut anywhere, into one JSON value per line. Memory: the longest line. */
export async function* parseJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonValue> {
  let line = '';
  for await (const chunk of chunks) {
    const [end = '', ...starts] = chunk.split('\n');
    line += end;
    for (const start of starts) {
      if (line !== '') yield parseLine(line);
      line = start;
    }
  }
  if (line !== '') yield parseLine(line);
}
