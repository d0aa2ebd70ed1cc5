import * as z from 'zod/mini';
import { delay } from '../../../shared/async.ts';
import { isAtOne, siteOf } from '../../../shared/policy/sites.ts';
import { describeRule, risksOfRule, type Rule } from '../../../shared/tools/intercept/methods.ts';
import { compileUrlPart } from '../../../shared/url-glob.ts';
import { NETWORK_BUFFERS } from '../../background/chromium/debugger/send-command.ts';
import type { DebuggerEvent } from '../../background/chromium/debugger/sessions.ts';
import {
  followSessions,
  SessionTarget,
  createTabHolds,
  type TabHold,
} from '../../background/chromium/debugger/tab-holds.ts';
import type { Create } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import type { CallPolicy } from '../../background/policy/call-policy.ts';
import { topOf } from '../../background/policy/documents.ts';

/** A rule, and the policy of the call that added it. */
interface Kept {
  readonly rule: Rule;
  readonly isMeant: (url: string) => boolean;
  readonly policy: CallPolicy;
  hits: number;
}

interface State {
  rules: readonly Kept[];
  /** Paused sessions of the tab. */
  readonly paused: Set<string | null>;
  /** Requests answered with credentials: if the site asks again, it has rejected them. */
  readonly answered: Set<string>;
  listening: Promise<void> | null;
}

const createHolds = createTabHolds<State>({
  tool: 'intercept',
  does: 'intercepts requests',
  begin: () => ({ rules: [], paused: new Set(), answered: new Set(), listening: null }),
  show: ({ rules }) => rules.map(({ rule: { url, act } }) => `${url}: ${describeRule(act)}`),
  undo: ({ lease, state }) => {
    state.rules = [];
    return Promise.allSettled(
      [...state.paused].flatMap((sessionId) => [
        lease.send('Fetch.disable', {}, { sessionId }),
        lease.send('Network.setCacheDisabled', { cacheDisabled: false }, { sessionId }),
      ]),
    );
  },
});

const Headers = z.record(z.string(), z.string());
const Request = z.object({ url: z.string(), method: z.string(), headers: Headers });
const Paused = z.object({
  requestId: z.string(),
  request: Request,
  resourceType: z.string(),
});
const Asked = z.extend(Paused, {
  authChallenge: z.object({ source: z.optional(z.string()), origin: z.string() }),
});

/** The methods of `intercept`. */
export const createHandlers: Create<'tab.intercept'> = (services) => {
  const holds = createHolds(services);
  return {
    'tab.intercept': async ({ tab_id: tabId, caller, add, remove }, { signal, policy }) => {
      const { url = '' } = await getReadableTab(tabId);
      if (add !== null) {
        // Credentials go to the rule's site, wherever the tab is now.
        const top = add.act.login === null ? await topOf(tabId) : { url: add.url, tabId, documentId: null };
        await policy.expect(top ?? { url, tabId, documentId: null }, risksOfRule(add.act));
        signal.throwIfAborted();
        policy.began();
        const hold = await holds.begin(tabId, caller, signal);
        const isMeant = compileUrlPart(add.url);
        const kept = { rule: add, isMeant, policy, hits: 0 };
        hold.state.rules = [...hold.state.rules, kept];
        try {
          await (hold.state.listening ??= listen(tabId, hold));
        } catch (thrown) {
          hold.state.listening = null;
          hold.state.rules = hold.state.rules.filter((one) => one !== kept);
          if (hold.state.rules.length === 0) await holds.end(tabId, hold);
          throw thrown;
        }
      }
      const own = holds.get(tabId);
      if (own?.session !== caller.session) return { rules: [] };
      if (remove !== null) own.state.rules = own.state.rules.filter(({ rule }) => !remove.includes(rule.id));
      const rules = own.state.rules.map(({ rule: { id }, hits }) => ({ id, hits }));
      if (rules.length === 0) await holds.end(tabId);
      holds.changed();
      return { rules };
    },
  };
};

/** No rule sees what a page takes from its cache. All are sent at once: the session may be waiting for them. */
async function pause({ lease, state }: TabHold<State>, sessionId: string | null): Promise<void> {
  state.paused.add(sessionId);
  await Promise.all([
    lease.send('Network.enable', NETWORK_BUFFERS, { sessionId }),
    lease.send('Network.setCacheDisabled', { cacheDisabled: true }, { sessionId }),
    lease.send('Fetch.enable', { handleAuthRequests: true }, { sessionId }),
  ]);
}

async function listen(tabId: number, hold: TabHold<State>): Promise<void> {
  const { lease } = hold;
  const stop = lease.onEvent((event) => {
    if (event.method === 'Fetch.requestPaused') void onPaused(tabId, hold, event).catch(() => undefined);
    if (event.method === 'Fetch.authRequired') void onAsked(tabId, hold, event).catch(() => undefined);
  });
  try {
    await followSessions(lease, (sessionId) => pause(hold, sessionId));
    await pause(hold, null);
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

/** The first rule that matches a request, if its call may do that in the requesting document. */
async function ruleFor(
  tabId: number,
  { lease, state }: TabHold<State>,
  { sessionId }: DebuggerEvent,
  { request: { url }, resourceType }: z.infer<typeof Paused>,
): Promise<readonly Kept[]> {
  const meant = state.rules.filter(({ isMeant }) => isMeant(url));
  if (meant.length === 0) return [];
  const frame = lease.announcements().map(({ params }) => SessionTarget.safeParse(params).data);
  const inner = frame.find((one) => one?.sessionId === sessionId)?.targetInfo.url;
  const from = resourceType === 'Document' ? url : (inner ?? (await topOf(tabId))?.url ?? '');
  const place = { url: from, tabId, documentId: null };
  return meant.filter(({ policy, rule }) => policy.passes(place, risksOfRule(rule.act)));
}

const lowerCased = (headers: z.infer<typeof Headers>): z.infer<typeof Headers> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const listOf = (headers: z.infer<typeof Headers>): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const isPreflight = ({ method, headers }: z.infer<typeof Request>): boolean =>
  method === 'OPTIONS' && 'access-control-request-method' in lowerCased(headers);

/** A page of another origin may read an answer whose headers do not decide that, as with Playwright's `route.fulfill`. */
function responseTo(
  request: z.infer<typeof Request>,
  { status, phrase, headers, body }: NonNullable<Rule['act']['answer']>,
): object {
  const {
    origin = '',
    'access-control-request-method': method = '',
    'access-control-request-headers': names = '',
  } = lowerCased(request.headers);
  const readable = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'origin',
  };
  const isElsewhere = origin !== '' && origin !== new URL(request.url).origin;
  if (isPreflight(request)) {
    const allowed = { 'access-control-allow-methods': method, 'access-control-allow-headers': names };
    return { responseCode: 204, responseHeaders: listOf({ ...readable, ...allowed }) };
  }
  const isDecided = !isElsewhere || 'access-control-allow-origin' in lowerCased(headers);
  return {
    responseCode: status,
    responsePhrase: phrase,
    responseHeaders: listOf(isDecided ? headers : { ...readable, ...headers }),
    body,
  };
}

async function onPaused(tabId: number, hold: TabHold<State>, event: DebuggerEvent): Promise<void> {
  const { lease } = hold;
  const paused = Paused.parse(event.params);
  const send = (method: string, params: object = {}): Promise<unknown> =>
    lease.send(method, { requestId: paused.requestId, ...params }, { sessionId: event.sessionId });
  try {
    const rules = await ruleFor(tabId, hold, event, paused);
    // The page asks for one thing, whatever the browser asks before: only a block ends that, too.
    const isBefore = isPreflight(paused.request);
    const applied = rules.filter(({ rule: { act } }) => act.login === null && (act.block || !isBefore));
    for (const kept of applied) kept.hits += 1;
    const wait = Math.max(0, ...applied.map(({ rule }) => rule.act.delay_ms));
    if (wait > 0) await delay(wait, lease.signal);
    // A rule removed meanwhile does nothing.
    const acts = rules.filter((one) => hold.state.rules.includes(one)).map(({ rule }) => rule.act);
    if (acts.some(({ block }) => block))
      return void (await send('Fetch.failRequest', { errorReason: 'BlockedByClient' }));
    const answer = acts.find((act) => act.answer !== null)?.answer;
    if (answer != null) return void (await send('Fetch.fulfillRequest', responseTo(paused.request, answer)));
    // The browser adds its cookies of then: those of now would be sent instead, after redirects too.
    const { cookie: _known, ...own } = lowerCased(paused.request.headers);
    const headers = new Map(Object.entries(own));
    const changes = isBefore ? [] : acts.flatMap((act) => Object.entries(act.headers ?? {}));
    for (const [name, value] of changes)
      if (value === null) headers.delete(name.toLowerCase());
      else headers.set(name.toLowerCase(), value);
    const changed = changes.length === 0 ? {} : { headers: listOf(Object.fromEntries(headers)) };
    await send('Fetch.continueRequest', changed);
  } catch {
    // No request may hang because of a failed rule.
    await send('Fetch.continueRequest');
  }
}

/**
 * Answers each request once: a site that asks again has rejected the answer. A proxy is not the site that the rule
 * names.
 */
async function onAsked(tabId: number, hold: TabHold<State>, event: DebuggerEvent): Promise<void> {
  const asked = Asked.parse(event.params);
  const { requestId, authChallenge } = asked;
  const respond = (authChallengeResponse: object): Promise<unknown> =>
    hold.lease.send(
      'Fetch.continueWithAuth',
      { requestId, authChallengeResponse },
      { sessionId: event.sessionId },
    );
  if (hold.state.answered.has(requestId)) return void (await respond({ response: 'CancelAuth' }));
  const rules =
    authChallenge.source === 'Proxy'
      ? []
      : await ruleFor(tabId, hold, event, { ...asked, resourceType: 'Document' });
  const kept = rules.find(({ rule }) => mayLogIn(rule, authChallenge.origin));
  const login = kept?.rule.act.login;
  if (kept === undefined || login == null) return void (await respond({ response: 'Default' }));
  kept.hits += 1;
  hold.state.answered.add(requestId);
  const { username, password } = login;
  await respond({ response: 'ProvideCredentials', username, password });
}

function mayLogIn({ url, act: { login } }: Rule, origin: string): boolean {
  if (login === null || siteOf(url)?.origin !== siteOf(origin)?.origin) return false;
  return login.sites.length === 0 || isAtOne(login.sites, siteOf(origin));
}
