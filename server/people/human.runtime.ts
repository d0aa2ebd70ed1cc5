import type { HumanInputRequest } from '../../shared/people/request.ts';
import { defined, type JsonObject } from '../../shared/base/json.ts';
import { toJson } from '../../shared/base/json-schema.ts';
import type { PersonReply, CallContext } from '../core/context.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import { checkAnswer, toAnswer, type GivenAnswer } from './human-answer.ts';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import type { resumeCall } from '../../shared/people/human.manifest.ts';
import { TAKEOVER_MS } from '../../shared/people/takeover.ts';
import type { Bridge, BrowserId } from '../core/services.ts';
import { parseTabId, resolveBrowser, formatTabId, onTab, requireTab } from '../core/targets.ts';
import type { Produced } from '../core/result.ts';
import type { TakeoverEnd } from './takeovers.ts';
import type { ToolServices } from '../core/index.ts';

/**
 * Shows a question in the window or the side panel of the extension. Null if nobody has answered within the
 * time of a call: the same question joins it.
 * @throws SpillwayError `human_unreachable`, `human_input_expired`, and the errors of the take-overs
 */
async function askInBrowser(
  { type, message, choices, schema }: HumanInputRequest,
  context: CallContext,
  { bridge, takeovers }: TakeoverServices,
): Promise<GivenAnswer | null> {
  const { call, session, signal, syncWaitMs } = context;
  if (type === 'takeover') throw new SpillwayError('internal_error', 'A take-over is about a tab.');
  const target = { browser: await browserOf(bridge, context), tabId: null };
  const ask = { type, ...defined({ choices, schema }) };
  const limitMs = TAKEOVER_MS.byDefault;
  const request = { target, ask, message, until: null, limitMs, call, sessionSignal: session.signal };
  const end = await context.aside(() => takeovers.takeOver(request, { timeoutMs: syncWaitMs, signal }));
  if (end === null) return null;
  const { outcome, where, answer } = end;
  const facts = {
    ...(where === null ? {} : { where: formatTakeoverPlace(where) }),
    ...(end.reason === null ? {} : { reason: end.reason }),
  };
  if (outcome === 'done' && answer !== undefined) return { ...facts, answer };
  if (outcome === 'declined') return { ...facts, declined: true };
  if (outcome === 'timeout')
    throw new SpillwayError('human_input_expired', `Nobody answered within ${limitMs / 60_000} minutes.`);
  throw new SpillwayError('human_unreachable', 'The browser could not show the question to a person.');
}

const formatTakeoverPlace = (where: TakeoverEnd['where']): string =>
  where === 'side_panel' ? 'the side panel' : 'the window of the extension';

/** The browser of the session's tab, or the only one. */
async function browserOf(bridge: Bridge, { session, signal }: CallContext): Promise<BrowserId> {
  try {
    const current = session.currentTab === null ? undefined : parseTabId(session.currentTab).browser;
    return await resolveBrowser(bridge, current, signal);
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || !thrown.code.startsWith('browser_')) throw thrown;
    throw new SpillwayError(
      'human_unreachable',
      `Neither the client nor a browser could show the question, so nobody saw it. ${thrown.message}`,
      { cause: thrown },
    );
  }
}

type TakeoverServices = Pick<ToolServices, 'bridge' | 'takeovers'>;

/** No person reads and declines a question faster: the client has done it by itself. */
const UNSEEN_MS = 500;

export const createRuntimes = (
  services: TakeoverServices & Pick<ToolServices, 'resumeCall'>,
): ToolRuntimes => ({
  /** Asks the person behind the client, or in the browser if the client cannot. */
  request_human_input: async (question: HumanInputRequest, context) => {
    if (question.type === 'takeover') return takeOver(question, context, services);
    const asked = await askClient(question, context);
    const given = asked ?? (await askInBrowser(question, context, services));
    if (given === null) return produceJson(buildWait(question.message, 'answered'));
    checkAnswer(question, given);
    const value = toJson(toAnswer(question, given));
    const coverage = asked === null ? [] : ['The client answered; Spillway cannot verify that a person did.'];
    return produceJson(value, {}, coverage);
  },
  /** The end of a call that was left while a person was asked. */
  resume_call: async ({ id }: ArgsOf<typeof resumeCall>, { session, signal, syncWaitMs, aside }) => ({
    resumed: await aside(() => services.resumeCall(id, { session, signal, timeoutMs: syncWaitMs })),
  }),
});

/**
 * The answer of the client. Null if it cannot ask, or has answered faster than a person: then the browser
 * asks. A program may ask when the call that started it, and with it the way to its client, is over.
 */
async function askClient(
  question: HumanInputRequest,
  { askPerson, clock, session, signal }: CallContext,
): Promise<GivenAnswer | null> {
  if (askPerson === undefined) return null;
  const startedAt = clock.monotonic();
  const form = { message: question.message, schema: formOf(question) };
  const reply = await askPerson(form, signal).catch((thrown: unknown) => {
    if (toSpillwayError(thrown).code === 'human_unreachable') return null;
    throw thrown;
  });
  if (reply === null) return null;
  if (reply.action !== 'accept' && clock.monotonic() - startedAt < UNSEEN_MS) return null;
  return { ...answerOf(question, reply), where: session.name };
}

const buildWait = (question: string, has: 'answered' | 'finished'): JsonObject => ({
  summary: `The person has not ${has}. Call again with the same arguments to keep waiting.`,
  outcome: 'waiting',
  question,
});

/** One field named `answer`, or the form of the question. */
function formOf({ type, choices = [], schema }: HumanInputRequest): JsonObject {
  if (type === 'form' && schema !== undefined) return Object.fromEntries(Object.entries(schema));
  const field: JsonObject =
    type === 'approval'
      ? { type: 'boolean', title: 'Approve' }
      : { type: 'string', title: 'Answer', ...(type === 'choice' ? { enum: choices } : { minLength: 1 }) };
  return { type: 'object', properties: { answer: field }, required: ['answer'] };
}

function answerOf({ type }: HumanInputRequest, { action, content }: PersonReply): GivenAnswer {
  if (action !== 'accept') return { declined: true, ...(action === 'cancel' ? { reason: 'dismissed' } : {}) };
  if (type === 'form') return { answer: content };
  const { answer } = content;
  return typeof answer === 'string' || typeof answer === 'boolean' ? { answer } : {};
}

/**
 * Asks a person to do something in a tab. The browser shows it, so the client need not be able to ask anyone.
 * @throws SpillwayError of {@link Takeovers.takeOver}, `no_current_tab`, `tab_not_found`, `page_forbidden`
 */
async function takeOver(
  { message, until, tab, timeout_ms: limitMs = TAKEOVER_MS.byDefault }: HumanInputRequest,
  context: CallContext,
  { bridge, takeovers }: TakeoverServices,
): Promise<Produced> {
  const { call, session, signal, syncWaitMs } = context;
  const target = await requireTab(bridge, { tab }, context);
  const asked = { message, ask: null, until: until ?? null, limitMs };
  const request = { target, ...asked, call, sessionSignal: session.signal };
  const end = await onTab(target, context, () =>
    context.aside(() => takeovers.takeOver(request, { timeoutMs: syncWaitMs, signal })),
  );
  const tabName = formatTabId(target);
  const value = end === null ? buildWait(message, 'finished') : takeoverAnswer(end, message, limitMs);
  return produceJson({ ...value, tab: tabName }, { tab: tabName }, end === null ? [] : [coverageOf(end)]);
}

function takeoverAnswer(end: TakeoverEnd, question: string, limitMs: number): JsonObject {
  const { outcome, by, where, reason, origin } = end;
  const now = origin === null ? '' : `; the page is now at ${origin}`;
  return {
    summary: `${summaryOf(end, limitMs)}${outcome === 'tab_closed' ? '' : now}.`,
    outcome,
    ...(by === null ? {} : { by }),
    ...(where === null ? {} : { where }),
    question,
    ...(origin === null ? {} : { origin }),
    ...(reason === null ? {} : { reason }),
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

function summaryOf({ outcome, by, where, reason, from, to }: TakeoverEnd, limitMs: number): string {
  const place = formatTakeoverPlace(where);
  switch (outcome) {
    case 'done':
      return by === 'page' ? 'The page shows what was waited for' : `A person finished in ${place}`;
    case 'declined':
      return `A person declined in ${place}${reason === null ? '' : `: ${reason}`}`;
    case 'timeout':
      return `A person looked at it, and did not finish within ${seconds(limitMs)}`;
    case 'nobody_there':
      return `Nobody acted on the request or turned to the tab within ${seconds(to - from)}`;
    case 'tab_closed':
      return 'The tab was closed';
  }
}

function coverageOf({ from, to }: TakeoverEnd): string {
  const [since, until] = [from, to].map((at) => new Date(at).toISOString());
  const gap = `nothing of the tab was recorded from ${since} to ${until}, while a person had it`;
  return `person_has_tab: ${gap}, and what emulate and intercept set there has ended.`;
}
