import type { SpillwayError } from '../../../shared/errors.ts';
import { each } from '../../../shared/queue.ts';
import { abortable } from '../../../shared/async.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { clean, type Clean, type CleanRecord, type CleanText } from '../../redact/clean.ts';
import { CANCEL_GRACE, type ToolCall } from './call.ts';
import type { CleanPayload, Deliverable, Outcome, Produced, RedactionReport, ToolResult } from '../result.ts';
import { type ModeRow, type ToolDefinition } from '../registry/definition.ts';
import type { Redactor } from '../services.ts';
import type { Delivered, DeliverOptions } from '../output.ts';
import {
  boundNotes,
  editedNote,
  failureResult,
  fence,
  redactionNotes,
  untrustedNote,
  ownResult,
  passedResult,
  withNote,
  fitHint,
  fitNames,
  fitRuns,
} from './results.ts';
import {
  askedOrRefused,
  Refusal,
  type BrowserAsks,
  type ExecutorOptions,
  type ExecutorServices,
  type PreparedCall,
  type Work,
} from './prepare.ts';

export interface Approval {
  readonly approvedBy?: string | undefined;
  readonly isEdited?: boolean;
}

interface DeliverParts {
  readonly services: ExecutorServices;
  readonly options: ExecutorOptions;
  readonly approval: Approval;
}

/** Turns the work of a call into its answer, through redaction and the output policy. */
export async function deliver(
  prepared: PreparedCall,
  work: Work,
  parts: DeliverParts,
): Promise<ToolResult | BrowserAsks | Refusal> {
  const { tool, session, recipe } = prepared.call;
  const { services, options } = parts;
  /** Once: the session has used most of its budget, or its person has pointed at something. */
  const warning = (): CleanText | null =>
    recipe === undefined ? (options.meter.warning(session) ?? session.picks.notice()) : null;
  try {
    if ('resumed' in work) return work.resumed;
    if ('own' in work) return ownResult(tool, work.own, services.redactor);
    if ('produced' in work) return await deliverProduced(prepared, work, { ...parts, warning });
    const result = passedResult(work.passed, services.redactor);
    const warned = result.ok ? warning() : null;
    return warned === null ? result : withNote(result, warned);
  } catch (thrown) {
    if (!('produced' in work)) return new Refusal(thrown);
    return askedOrRefused(thrown, work.kept, await stateOf(work.produced));
  }
}

async function deliverProduced(
  prepared: PreparedCall,
  { produced, output }: Extract<Work, { produced: Produced }>,
  parts: DeliverParts & { readonly warning: () => CleanText | null },
): Promise<ToolResult> {
  const { services, options, approval, warning } = parts;
  const { call, definition, args } = prepared;
  const { row, presentation } = definition;
  const { resultMeta } = presentation;
  const { policy, redactor } = services;
  const hasFences =
    options.contentBoundaries && call.recipe === undefined && produced.untrustedFrom !== undefined;
  const { deliverable, report, object } = toDeliver(
    redactor,
    fitted(produced, (hint) => fitHint(hint, call, options)),
    row,
  );
  const structured = structuredOf(call, definition);
  const delivering = policy.deliver(deliverable, {
    ...output,
    mode: produced.deliverAs ?? output.mode,
    tool: call.tool,
    structured,
    canQuery: canQuery(call),
    envelopeBytes:
      (call.envelopeBytes ?? DEFAULT_ENVELOPE_BYTES) +
      (output.mode === 'inline' ? 0 : (call.progressBytes ?? 0)) +
      (hasFences ? FENCES_BYTES : 0) +
      (resultMeta === undefined ? 0 : Buffer.byteLength(JSON.stringify(resultMeta)) + 16),
    signal: call.signal,
    notes: (outcome) =>
      notesOf(deliverable, {
        editedArgs: approval.isEdited === true ? args : null,
        warning: warning(),
        outcome,
        report: report(),
        redactor,
        fitNote: (text) => options.ownCommands(fitNames(text, call, options.registry)),
      }),
  });
  const written = await abortable(delivering, call.signal, CANCEL_GRACE);
  // The text for a model is still an object for the program.
  const hasObject = object !== null && written.descriptor === undefined && asObject(structured);
  const delivered = hasObject ? { ...written, structured: object } : written;
  if (delivered.descriptor !== undefined)
    call.session.outputs.add({ descriptor: delivered.descriptor, tool: call.tool });
  return {
    ...successResult(delivered, { redactor, hasFences, kind: deliverable.payload.kind, object }),
    ...(resultMeta === undefined ? {} : { meta: { ...resultMeta, ...widgetContent(delivered, definition) } }),
    ...(produced.stop === true ? { stop: true } : {}),
  };
}

/** Everything if the source had ended, else nothing. */
async function stateOf(produced: Produced): Promise<JsonObject> {
  const nothing: JsonObject = {};
  return Promise.race([
    produced.done.then(
      ({ state }) => state,
      () => nothing,
    ),
    new Promise<JsonObject>((resolve) => setImmediate(resolve, nothing)),
  ]);
}

function fitted(produced: Produced, fit: (hint: string) => string): Produced {
  if (!('payload' in produced) || produced.payload.kind !== 'json') return produced;
  const { value } = produced.payload;
  return isObject(value)
    ? { ...produced, payload: { ...produced.payload, value: fitRuns(value, fit) } }
    : produced;
}

const STOP_NOTE = clean`Stop: call no more tools, and report the current state to the person.`;

/** Redacted once, in the mode's format. */
function toDeliver(
  redactor: Redactor,
  produced: Produced,
  row: ModeRow,
): {
  readonly deliverable: Deliverable;
  readonly report: () => RedactionReport | null;
  readonly object: CleanRecord | null;
} {
  // Receipts of runs have their own format.
  const format = produced.isRunReceipt === true ? { keys: null, text: row.receipt } : row;
  const { untrustedFrom, ...facts } = produced;
  const source =
    untrustedFrom === undefined
      ? {}
      : { untrustedFrom: () => redactFacts(redactor, { source: untrustedFrom() }).source };
  if ('clean' in produced) {
    const { payload, object } = formatAnswer(produced.clean, format);
    return { deliverable: { ...facts, ...source, payload }, report: () => produced.redacted ?? null, object };
  }
  const { payload: whole, report } = redactor.payload(produced.payload);
  const { payload, object } = formatAnswer(produced.pick?.(whole) ?? whole, format);
  return { deliverable: { ...facts, ...source, payload }, report, object };
}

/** Source, notes and state of a payload. */
const redactFacts = <T extends JsonValue>(redactor: Redactor, facts: T): Clean<T> => redactor.value(facts);

/** The notes of a payload after consumption. */
function notesOf(
  { untrustedFrom, stop }: Deliverable,
  known: {
    /** Null if nobody changed them. */
    readonly editedArgs: JsonObject | null;
    /** The session has used most of its budget. */
    readonly warning: CleanText | null;
    readonly outcome: Outcome;
    readonly report: RedactionReport | null;
    readonly redactor: Redactor;
    /** A note without tools that the session cannot call; empty if nothing remains. */
    readonly fitNote: (text: string) => string;
  },
): readonly CleanText[] {
  const { editedArgs, warning, outcome, report, redactor, fitNote } = known;
  const source = untrustedFrom?.();
  const coverage = outcome.coverage.map(fitNote).filter((note) => note !== '');
  const redacted = redactFacts(redactor, { coverage, editedArgs });
  return [
    ...(stop === true ? [STOP_NOTE] : []),
    ...(warning === null ? [] : [warning]),
    ...(redacted.editedArgs === null ? [] : [editedNote(redacted.editedArgs)]),
    ...(source === undefined ? [] : [untrustedNote(source)]),
    ...(report === null ? [] : redactionNotes(report)),
    ...boundNotes(redacted.coverage),
  ];
}

function successResult(
  delivered: Delivered,
  {
    redactor,
    hasFences,
    kind,
    object,
  }: {
    readonly redactor: Redactor;
    readonly hasFences: boolean;
    readonly kind: CleanPayload['kind'];
    readonly object: CleanRecord | null;
  },
): ToolResult {
  const { descriptor, structured } = delivered;
  return {
    ok: true,
    content: hasFences ? fence(delivered.content) : delivered.content,
    state: redactFacts(redactor, delivered.outcome.state),
    ...(descriptor === undefined ? { kind, ...(object !== null && { shown: object }) } : { descriptor }),
    ...(structured === undefined ? {} : { structured }),
  };
}

const DEFAULT_ENVELOPE_BYTES = 256;
/** Two fences of `fence()` with room for their blocks. */
const FENCES_BYTES = 320;

/** A caller in this process has the descriptor anyway. An inline answer is an object if a schema says so. */
function structuredOf(
  { wantsObject = false }: ToolCall,
  { row, presentation }: ToolDefinition,
): DeliverOptions['structured'] {
  if (wantsObject) return 'inline';
  return presentation.outputSchema !== undefined || (row.structuredContent && 'stored');
}

const asObject = (structured: DeliverOptions['structured']): boolean =>
  structured === true || structured === 'inline';

const canQuery = ({ recipe, session }: ToolCall): boolean =>
  recipe === undefined && session.tools.listed().includes('oc_output_query');

/**
 * A payload in a row's format. `object` is the object behind a text, for `structuredContent`; null for other
 * payloads.
 */
export function formatAnswer(
  payload: CleanPayload,
  { keys, text }: Pick<ModeRow, 'keys' | 'text'>,
): { readonly payload: CleanPayload; readonly object: CleanRecord | null } {
  const isFull = keys === null && text === null;
  if (isFull || payload.kind !== 'json' || !isObject(payload.value)) return { payload, object: null };
  const { value } = payload;
  const kept = Object.entries(value).filter(([key]) => keys?.includes(key) ?? true);
  const object: CleanRecord = Object.fromEntries(kept);
  if (text === null) return { payload: { ...payload, value: object }, object: null };
  return { payload: { kind: 'text', mimeType: MIME.text, chunks: each([text(value)]) }, object };
}

/** Larger texts appear only in the conversation. */
const MOST_UNITS = 512 * 1_024;

/**
 * The texts of an answer, for a widget whose host does not pass them: `_meta` that no model reads. If the
 * answer is an object, its widget already has everything.
 */
function widgetContent(
  { content, structured }: Delivered,
  { presentation: { textsKey } }: ToolDefinition,
): JsonObject {
  if (textsKey === undefined || structured !== undefined) return {};
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return units === 0 || units > MOST_UNITS ? {} : { [textsKey]: texts };
}

/** A failure's state is not sent if its text is larger. */
const STATE_UNITS = 4_096;

function shownState(state: JsonObject): { readonly state?: JsonObject } {
  const units = JSON.stringify(state).length;
  return units <= '{}'.length || units > STATE_UNITS ? {} : { state };
}

/** A failure in the mode's format: also as an object, and for its tool's widget. */
function presentFailure(failure: ToolResult, definition: ToolDefinition | undefined): ToolResult {
  const { error, state, stop } = failure;
  if (error === undefined || definition === undefined) return failure;
  const { resultMeta } = definition.presentation;
  return {
    ...failure,
    ...(definition.row.structuredContent
      ? { structured: { error: { ...error }, ...(stop === true ? { stop } : {}), ...shownState(state) } }
      : {}),
    ...(resultMeta === undefined ? {} : { meta: resultMeta }),
  };
}

/** A redacted failure in the mode's format. */
export function failure(
  call: ToolCall,
  error: SpillwayError,
  options: ExecutorOptions,
  state?: JsonObject,
): ToolResult {
  const { registry, redactor, ownCommands } = options;
  const known = { state, message: ownCommands(error.message), hint: fitHint(error.hint, call, options) };
  return presentFailure(failureResult(error, redactor, known), registry.find(call.tool));
}
