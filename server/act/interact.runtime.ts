import { each } from '../../shared/base/queue.ts';
import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { stepLines } from '../../shared/core/policy/call-risks.ts';
import { isStepKind, type StepKind } from '../../shared/act/step-words.ts';
import { RECEIPT_TOKENS, type FieldValue, Step } from '../../shared/act/steps.ts';
import { isErrorCode, SpillwayError, toSpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { mayQuote } from '../../shared/base/quoting.ts';
import type { MethodResult, MethodParams } from '../../shared/core/bridge/methods.ts';
import { MIME } from '../../shared/base/mime.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Produced } from '../core/result.ts';
import type { ArgsOf, ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import type { Secrets, BrowserId, StagedFile } from '../core/services.ts';
import {
  actOnce,
  addOpenedTab,
  explainTab,
  formatTabId,
  hasOpened,
  nameTabs,
  onTab,
  requireTab,
  type TabTarget,
} from '../core/targets.ts';
import { placeTarget } from '../core/pictures.ts';
import { describeFile } from '../core/shown-file.ts';
import { answerDialog } from './answer-dialog.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { describeIssues } from '../../shared/base/json-schema.ts';
import {
  exampleAfter,
  parseDialogStep,
  parseStep,
  StepError,
  type DialogStep,
} from '../../shared/act/parse-step.ts';
import type { interact } from '../../shared/act/interact.manifest.ts';
import { dialogReceiptOf, failureOf, progressOf, receiptOf } from './receipt.ts';
import type { ToolServices } from '../core/index.ts';

/** A ref, or a selector with its engine. */
const TARGET = /^(?:(?:f\d+)*e\d+|[a-z]+=.+)$/;

type InteractArgs = ArgsOf<typeof interact>;

interface Plan {
  readonly fields: readonly { readonly name: string; readonly value: FieldValue }[];
  readonly steps: readonly Step[];
}

/** The answer to a dialog, which is a separate call; null if the call acts on the page. */
function dialogOf({ fields = {}, steps = [] }: InteractArgs): DialogStep | null {
  return steps.length === 1 && Object.keys(fields).length === 0 ? parseDialogStep(steps[0]) : null;
}

/**
 * The fields and steps of a call.
 * @throws SpillwayError `invalid_argument` naming the step and its gap
 */
function parsePlan(args: InteractArgs): Plan {
  const fields = Object.entries(args.fields ?? {}).map(([name, value]) => ({ name, value }));
  const steps = (args.steps ?? []).map(parseOne);
  if (fields.length + steps.length === 0)
    throw invalidArgument('interact: pass fields or steps, such as steps: ["click e6"].');
  return { fields, steps };
}

function parseOne(step: NonNullable<InteractArgs['steps']>[number], index: number): Step {
  const isLine = typeof step === 'string';
  const parsed = Step.safeParse(isLine ? parseLine(step, index) : step);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['steps', index, ...issue.path] }));
  throw invalidArgument(`interact: ${describeIssues(issues, 'steps')}.${isLine ? '' : ` ${shapesOf(step)}`}`);
}

/** The accepted shapes of a refused object with its target. Its value is left out: it may be a secret. */
function shapesOf(step: object): string {
  const given = new Map(Object.entries(step));
  const [target = 'e3'] = [given.get('target'), ...given.values()].filter(isTarget);
  const kind: unknown = given.get('do');
  const known = typeof kind === 'string' && isStepKind(kind) ? kind : 'click';
  const shape = { do: known, target, ...exampleAfter(known) };
  const line = Object.values(shape).join(known === 'wait' ? ' target ' : ' ');
  return `Write ${JSON.stringify(line)} or ${JSON.stringify(shape)}.`;
}

const isTarget = (value: unknown): value is string => typeof value === 'string' && TARGET.test(value);

function parseLine(line: string, index: number): Step {
  if (parseDialogStep(line) !== null)
    throw invalidArgument(
      `interact: steps.${index}: a dialog is answered by a call with no other step and no fields.`,
    );
  try {
    return parseStep(line);
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    throw invalidArgument(`interact: steps.${index}: ${thrown.message}.`);
  }
}

type Files = MethodParams<'act.run'>['files'];

/** A file that a person chooses. An older extension cannot ask for it. */
const ASKED = {
  ...{ file: null, name: '', mime: '' },
  refused: 'a person has to choose it, for which this extension is too old',
};

/** A path in a field: only the page knows whether the field takes files. */
const PATH = /^(?:[/\\]|[A-Za-z]:[/\\])/;

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/**
 * Does work with a plan's files: copies them and sends them to the worker, which passes them to the page, since an
 * extension may not open files by path unless a person allows it. If the work fails, they are dropped here too: the
 * worker may not have begun its act.
 * @throws SpillwayError `upload_refused` for a file of an upload step
 */
async function withUploads<T>(
  { fields, steps }: Plan,
  { bridge, uploads }: Pick<InteractServices, 'bridge' | 'uploads'>,
  { browser, context }: { readonly browser: BrowserId; readonly context: CallContext },
  work: (files: Files) => Promise<T>,
): Promise<T> {
  const sent: string[] = [];
  const contents = new Map<string, string>();
  /** Null for files with other data than text. */
  let text: string | null = '';
  const send = async ({ source, path, name, mime }: StagedFile): Promise<Files[number]> => {
    const file = randomUUID();
    sent.push(file);
    const opened = await open(path);
    const hash = createHash('sha256');
    try {
      const chunk = Buffer.alloc(LIMITS.uploadChunkBytes);
      let offset = 0;
      for (;;) {
        const { bytesRead } = await opened.read(chunk, 0, chunk.length, offset);
        if (bytesRead === 0) break;
        const part = chunk.subarray(0, bytesRead);
        hash.update(part);
        text = text === null || part.includes(0) ? null : text + part.toString();
        await bridge.request(browser, 'act.stage', { file, offset, data: part.toString('base64') }, context);
        offset += bytesRead;
      }
      contents.set(source, describeFile(offset, hash));
      return { path: source, file, name, mime, refused: null };
    } finally {
      await opened.close();
    }
  };
  try {
    const asked: Files = [];
    const inSteps: string[] = [];
    for (const [step, { do: kind, value }] of steps.entries()) {
      if (kind !== 'upload') continue;
      const paths = listOf(value);
      const covered = await Promise.all(paths.map((path) => uploads.cover(path)));
      if (paths.length > 0 && covered.every(Boolean)) inSteps.push(...paths);
      else asked.push({ ...ASKED, path: paths.join('\n'), asked: step });
    }
    const inFields = fields.flatMap(({ value }) => listOf(value)).filter((text) => PATH.test(text));
    const wanted = [...new Set(inSteps)];
    const files = asked;
    for (const file of await uploads.stage(wanted, context.session)) files.push(await send(file));
    for (const path of new Set(inFields.filter((one) => !wanted.includes(one)))) {
      const staged = await uploads
        .stage([path], context.session)
        .catch((thrown: unknown) => refusalOf(thrown, path));
      if (typeof staged === 'string') files.push({ path, file: null, name: '', mime: '', refused: staged });
      else for (const file of staged) files.push(await send(file));
    }
    if (contents.size > 0) context.sends(Object.fromEntries(contents), text === null ? [] : [text]);
    return await work(files);
  } catch (thrown) {
    for (const file of sent)
      bridge
        .request(browser, 'act.stage', { file, offset: 0, data: '' }, { call: null })
        .catch(() => undefined);
    throw thrown;
  }
}

/** Why a file cannot be given to a field, if the field takes files. */
function refusalOf(thrown: unknown, path: string): string {
  if (!(thrown instanceof SpillwayError) || thrown.code !== 'upload_refused') throw thrown;
  return thrown.message.replace(`${path}: `, '').replace(/\.$/, '');
}

/** A plan in the worker's form: values in place of names, and which of them are secret. */
interface ResolvedPlan extends Plan {
  readonly secret: MethodParams<'act.run'>['secret'];
  /** Ends what was lent. */
  readonly end: () => void;
}

/** Steps whose value goes into a field. */
const FILLING: ReadonlySet<StepKind> = new Set(['fill', 'type', 'select']);

/**
 * Replaces `secret:NAME` with the values of `--secrets`, only for sending: before that, and in everything
 * stored, there are only names. A value that is made when it is used is a key until then.
 * @throws SpillwayError `secret_not_found`
 */
export function resolveSecrets({ fields, steps }: Plan, secrets: Secrets): ResolvedPlan {
  const found = { fields: new Set<number>(), steps: new Set<number>() };
  const bound: NonNullable<ResolvedPlan['secret']['bound']> = [];
  const lent: ReturnType<Secrets['lend']>[] = [];
  const lend = (text: string): string => {
    const loan = secrets.lend(text);
    lent.push(loan);
    return loan.key;
  };
  const resolve = <Value extends FieldValue | undefined>(
    value: Value,
    of: 'fields' | 'steps',
    index: number,
  ) => {
    const one = (text: string): string => {
      const resolved = secrets.resolve(text);
      if (resolved.sites !== null) found[of].add(index);
      if (resolved.sites !== null && resolved.sites.length > 0)
        bound.push({ of, index, name: text, sites: [...resolved.sites] });
      return resolved.value ?? lend(text);
    };
    if (typeof value === 'string') return one(value);
    return Array.isArray(value) ? value.map(one) : value;
  };
  const resolved = {
    fields: fields.map((field, index) => ({ ...field, value: resolve(field.value, 'fields', index) })),
    steps: steps.map((step, index): Step => {
      if (step.value === undefined || !FILLING.has(step.do)) return step;
      const value = resolve(step.value, 'steps', index);
      return typeof value === 'string' || Array.isArray(value) ? { ...step, value } : step;
    }),
  };
  const [inFields, inSteps] = [[...found.fields], [...found.steps]];
  const keys = lent.map(({ key }) => key);
  return {
    ...resolved,
    secret: {
      ...{ fields: inFields, steps: inSteps },
      ...(bound.length > 0 && { bound }),
      ...(keys.length > 0 && { lent: keys }),
    },
    end: () => lent.forEach((loan) => loan.end()),
  };
}

/** A step whose targets are points of the page instead of a picture. */
function placeStep(step: Step, { session }: CallContext, tab: TabTarget): Step {
  const { target, to } = step;
  return {
    ...step,
    ...(target !== undefined && { target: placeTarget(target, session, tab) }),
    ...(to !== undefined && { to: placeTarget(to, session, tab) }),
  };
}

const WAIT_MS = 5_000;
/** A step may wait for its target, for the input to be acknowledged, and for its effect. */
const STEP_MS = 30_000;
/** Time to attach the debugger, read the page before the first step, and read it again after the last. */
const AROUND_MS = 60_000;

type InteractServices = Pick<ToolServices, 'bridge' | 'secrets' | 'uploads' | 'isPrivateLaunch'>;

/** `interact`: fills fields, does steps, and reports the effect. */
export function createRuntimes(services: InteractServices): ToolRuntimes {
  const { bridge, secrets, isPrivateLaunch } = services;
  const interact: ToolRuntime<InteractArgs> = async (args, context) => {
    const answer = dialogOf(args);
    if (answer !== null) {
      const { target, result } = await answerDialog(bridge, { ...answer, tab: args.tab }, context);
      const state = { tab: formatTabId(target), url: result.tab?.url };
      return produceReceipt(dialogReceiptOf(`dialog ${answer.action}`, result, target.browser), state);
    }
    const plan = parsePlan(args);
    const target = await requireTab(bridge, args, context);
    const { fields, steps, secret, end } = resolveSecrets(plan, secrets);
    const act = {
      tab_id: target.tabId,
      caller: callerOf(context),
      fields: [...fields],
      // An older extension would take an upload without a value for one of no files.
      steps: steps.map((step) =>
        placeStep({ ...(step.do === 'upload' && { value: '' }), ...step }, context, target),
      ),
      secret,
      may_type_passwords: isPrivateLaunch && hasOpened(context, target),
      wait_ms: WAIT_MS,
      show: args.show,
      budget: RECEIPT_TOKENS,
    };
    const idleTimeoutMs = AROUND_MS + STEP_MS * (fields.length + steps.length);
    let isSent = false;
    context.keepState(() => ({ steps: fields.length + steps.length, is_sent: isSent }));
    const { browser } = target;
    const result = await withUploads(plan, services, { browser, context }, (files) =>
      onTab(target, context, () =>
        actOnce('some or all of the steps', (onSend) => {
          const sent = (): void => {
            isSent = true;
            onSend();
          };
          const { call, signal } = context;
          const options = { call, signal, idleTimeoutMs, onSend: sent };
          return bridge.request(browser, 'act.run', { ...act, files }, options);
        }),
      ),
    ).finally(end);
    const opened = result.opened.map(({ id: tabId }) => ({ browser, tabId }));
    for (const each of opened) addOpenedTab(context, target, each);
    const tab = formatTabId(target);
    const id = context.session.acts.add({ tab, startedAt: result.started_at, endedAt: result.ended_at });
    const { failed, hidden = [] } = result;
    const hides = hidden.length === 0 ? {} : { hidden };
    const url = result.tab?.url ?? result.from_url;
    const notes = result.notes.map((note) => nameTabs(note, target));
    if (failed === null)
      return produceReceipt(receiptOf({ ...result, notes }, { browser, id }), {
        tab,
        url,
        ...hides,
        did: isObject(args) ? didOf(args, result.done) : [],
        ...(opened.length === 0 ? {} : { opened: opened.map(formatTabId) }),
      });
    const error = buildActError(failed, secrets);
    const { code, message, hint } = toSpillwayError(explainTab(error, target, context));
    // The same call would repeat acts.
    const retryable = result.done.length === 0 && error.retryable;
    const tried = { browser, steps: fields.length + steps.length };
    const body = progressOf(failed, result, tried);
    throw new SpillwayError(code, failureOf({ ...failed, message }, { ...result, notes }, tried), {
      hint,
      ...{ retryable, body },
      quotes: mayQuote(code) || 'report' in body ? url : undefined,
      state: { tab, url, act: id, ...hides, ...body },
    });
  };
  return { interact };
}

function buildActError(
  failed: NonNullable<MethodResult<'act.run'>['failed']>,
  secrets: Secrets,
): SpillwayError {
  const code = isErrorCode(failed.code) ? failed.code : 'internal_error';
  const hint = code === 'password_refused' ? secrets.hint : failed.hint;
  return new SpillwayError(code, failed.message, { hint, retryable: failed.retryable, tabId: failed.tab_id });
}

/** Each step in the page's words, with its changes: for people, since the receipt names steps as requested. */
function didOf(args: JsonObject, done: MethodResult<'act.run'>['done']): readonly JsonValue[] {
  const lines = stepLines(
    args,
    done.map(({ element }) => element),
  );
  return lines.map((step, at) => ({ step, note: done[at]?.note ?? null }));
}

const produceReceipt = (
  text: string,
  state: { readonly url: string | undefined } & JsonObject,
): Produced => ({
  payload: { kind: 'text', mimeType: MIME.text, chunks: each([text]) },
  outcome: () => ({ state, coverage: [] }),
  untrustedFrom: () => state.url,
  deliverAs: 'inline',
});
