import { delay } from '../../../shared/base/async.ts';
import { isAtOne, siteOf } from '../../../shared/core/policy/sites.ts';
import { describeRule, risksOfRule, type Rule } from '../../../shared/inspect/intercept.methods.ts';
import { compileUrlPart } from '../../../shared/base/url-glob.ts';
import { createTabHolds, type TabHold } from '../../platform/chromium/debugger/tab-holds.ts';
import {
  expectAnswers,
  pauseAll,
  resumeAll,
  type MadeAnswer,
  type PausedRequest,
} from '../../platform/chromium/paused-requests.ts';
import type { Create } from '../../core/handler.ts';
import { getReadableTab } from '../../core/pages/targets.ts';
import type { CallPolicy } from '../../core/policy/call-policy.ts';
import { topOf } from '../../core/policy/documents.ts';

/** A rule, and the policy of the call that added it. */
interface ActiveRule {
  readonly rule: Rule;
  readonly isMeant: (url: string) => boolean;
  readonly policy: CallPolicy;
  hits: number;
}

interface State {
  rules: readonly ActiveRule[];
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
    return resumeAll(lease, state.paused);
  },
});

type Request = PausedRequest['facts']['request'];

/** The methods of `intercept`. */
export const createHandlers: Create<'tab.intercept'> = (services) => {
  const holds = createHolds(services);
  return {
    'tab.intercept': async ({ tab_id: tabId, caller, add, remove }, { signal, policy }) => {
      const { url = '' } = await getReadableTab(tabId);
      if (add !== null) {
        if (add.act.answer !== null) expectAnswers();
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

const listen = (tabId: number, hold: TabHold<State>): Promise<void> =>
  pauseAll(hold.lease, hold.state.paused, {
    onRequest: (request) => void onRequest(tabId, hold, request).catch(() => undefined),
    onLogin: (request, by) => void onLogin(tabId, hold, request, by).catch(() => undefined),
  });

/** The first rule that matches a request, if its call may do that in the requesting document. */
async function ruleFor(
  tabId: number,
  { state }: TabHold<State>,
  { from: inner, facts: { request, resourceType } }: PausedRequest,
  isDocument = resourceType === 'Document',
): Promise<readonly ActiveRule[]> {
  const { url } = request;
  const meant = state.rules.filter(({ isMeant }) => isMeant(url));
  if (meant.length === 0) return [];
  const from = isDocument ? url : (inner ?? (await topOf(tabId))?.url ?? '');
  const place = { url: from, tabId, documentId: null };
  return meant.filter(({ policy, rule }) => policy.passes(place, risksOfRule(rule.act)));
}

const lowerCased = (headers: Request['headers']): Request['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && 'access-control-request-method' in lowerCased(headers);

/** A page of another origin may read an answer whose headers do not decide that, as with Playwright's `route.fulfill`. */
function responseTo(
  request: Request,
  { status, phrase, headers, body }: NonNullable<Rule['act']['answer']>,
): MadeAnswer {
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
    return { status: 204, headers: { ...readable, ...allowed } };
  }
  const isDecided = !isElsewhere || 'access-control-allow-origin' in lowerCased(headers);
  return { status, phrase, headers: isDecided ? headers : { ...readable, ...headers }, body };
}

async function onRequest(tabId: number, hold: TabHold<State>, paused: PausedRequest): Promise<void> {
  const { lease } = hold;
  const { request } = paused.facts;
  try {
    const rules = await ruleFor(tabId, hold, paused);
    // The page asks for one thing, whatever the browser asks before: only a block ends that, too.
    const isBefore = isPreflight(request);
    const applied = rules.filter(({ rule: { act } }) => act.login === null && (act.block || !isBefore));
    for (const kept of applied) kept.hits += 1;
    const wait = Math.max(0, ...applied.map(({ rule }) => rule.act.delay_ms));
    if (wait > 0) await delay(wait, lease.signal);
    // A rule removed meanwhile does nothing.
    const acts = rules.filter((one) => hold.state.rules.includes(one)).map(({ rule }) => rule.act);
    if (acts.some(({ block }) => block)) return void (await paused.block('BlockedByClient'));
    const answer = acts.find((act) => act.answer !== null)?.answer;
    if (answer != null) return void (await paused.answer(responseTo(request, answer)));
    // The browser adds its cookies of then: those of now would be sent instead, after redirects too.
    const { cookie: _known, ...own } = lowerCased(request.headers);
    const headers = new Map(Object.entries(own));
    const changes = isBefore ? [] : acts.flatMap((act) => Object.entries(act.headers ?? {}));
    for (const [name, value] of changes)
      if (value === null) headers.delete(name.toLowerCase());
      else headers.set(name.toLowerCase(), value);
    await paused.proceed(changes.length === 0 ? undefined : Object.fromEntries(headers));
  } catch {
    // No request may hang because of a failed rule.
    await paused.proceed();
  }
}

/**
 * Answers each request once: a site that asks again has rejected the answer. A proxy is not the site that the rule
 * names.
 */
async function onLogin(
  tabId: number,
  hold: TabHold<State>,
  asked: PausedRequest,
  { origin, isProxy }: { readonly origin: string; readonly isProxy: boolean },
): Promise<void> {
  const { answered } = hold.state;
  const { requestId } = asked.facts;
  if (answered.has(requestId)) return void (await asked.logIn('cancel'));
  const rules = isProxy ? [] : await ruleFor(tabId, hold, asked, true);
  const kept = rules.find(({ rule }) => mayLogIn(rule, origin));
  const login = kept?.rule.act.login;
  if (kept === undefined || login == null) return void (await asked.logIn(null));
  kept.hits += 1;
  answered.add(requestId);
  await asked.logIn({ username: login.username, password: login.password });
}

function mayLogIn({ url, act: { login } }: Rule, origin: string): boolean {
  if (login === null || siteOf(url)?.origin !== siteOf(origin)?.origin) return false;
  return login.sites.length === 0 || isAtOne(login.sites, siteOf(origin));
}
