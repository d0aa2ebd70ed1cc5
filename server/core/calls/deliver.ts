import type { SpillwayError } from '../../../shared/base/errors.ts';
import { each } from '../../../shared/base/queue.ts';
import { abortable } from '../../../shared/base/async.ts';
import { defined, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { clean, type Clean, type CleanRecord, type CleanText } from '../../libraries/redaction/clean.ts';
import { CANCEL_GRACE, type ToolCall } from './call.ts';
import type { CleanPayload, Deliverable, Outcome, Produced, RedactionReport, ToolResult } from '../result.ts';
import { type ModeRow, type ToolDefinition } from '../registry/definition.ts';
import type { Redactor } from '../services.ts';
import { pause } from '../slices.ts';
import type { Delivered, DeliverOptions } from '../output/index.ts';
import {
  boundNotes,
  describeEdit,
  failureResult,
  fence,
  redactionNotes,
  describeUntrusted,
  ownResult,
  passResult,
  withNote,
  fitHint,
  fitNames,
  fitRuns,
} from './results.ts';
import {
  buildQuestionOrRefusal,
  CallRefusal,
  type BrowserAsks,
  type ExecutorOptions,
  type LoadedServices,
  type PreparedCall,
  type Work,
} from './prepare.ts';

export interface Approval {
  readonly approvedBy?: string | undefined;
  readonly isEdited?: boolean;
}

/** Turns the work of a call into its answer, through redaction and the output policy. */
export async function deliver(
  prepared: PreparedCall,
  work: Work,
  services: LoadedServices,
  approval: Approval,
): Promise<ToolResult | BrowserAsks | CallRefusal> {
  const { tool, session, recipe } = prepared.call;
  /** Once: the session has used most of its budget, or its person has pointed at something. */
  const warning = (): CleanText | null =>
    recipe === undefined ? (services.meter.warning(session) ?? session.picks.notice()) : null;
  try {
    if ('resumed' in work) return work.resumed;
    if ('own' in work) return ownResult(tool, work.own, services.redactor);
    if ('produced' in work) return await deliverProduced(prepared, work, services, { approval, warning });
    const { readOnlyHint } = prepared.definition.manifest.annotations;
    await pause();
    const result = await passResult(work.passed, services.redactor, {
      retryable: readOnlyHint,
      hasFences: isFenced(prepared.call, services),
    });
    const warned = result.ok ? warning() : null;
    await pause();
    return warned === null ? result : withNote(result, warned);
  } catch (thrown) {
    if (!('produced' in work)) return new CallRefusal(thrown);
    return buildQuestionOrRefusal(thrown, work.kept, buildProducedState(work.produced));
  }
}

async function deliverProduced(
  prepared: PreparedCall,
  { produced, output }: Extract<Work, { produced: Produced }>,
  services: LoadedServices,
  { approval, warning }: { readonly approval: Approval; readonly warning: () => CleanText | null },
): Promise<ToolResult> {
  const { call, definition, args } = prepared;
  const { row, presentation } = definition;
  const { resultMeta } = presentation;
  const { policy, redactor, registry } = services;
  const hasFences = isFenced(call, services) && produced.untrustedFrom !== undefined;
  const given = await toDeliver(
    redactor,
    fitText(produced, (hint) => fitHint(hint, call, services)),
    row,
  );
  const { deliverable, report, object } = given;
  const structured = structuredOf(call, definition);
  const fitNote = (text: string): string => services.ownCommands(fitNames(text, call, registry));
  /** The notes of the payload after its consumption. */
  const notes = (outcome: Outcome): readonly CleanText[] => {
    const warned = warning();
    const redactions = report();
    const source = deliverable.untrustedFrom?.();
    const { coverage, editedArgs } = redactFacts(redactor, {
      // A note without tools that the session cannot call; empty if nothing remains.
      coverage: outcome.coverage.map(fitNote).filter((note) => note !== ''),
      editedArgs: approval.isEdited === true ? args : null,
    });
    return [
      ...(produced.stop === true ? [STOP_NOTE] : []),
      ...(warned === null ? [] : [warned]),
      ...(editedArgs === null ? [] : [describeEdit(editedArgs)]),
      ...(source === undefined ? [] : [describeUntrusted(source)]),
      ...(redactions === null ? [] : redactionNotes(redactions)),
      ...boundNotes(coverage),
    ];
  };
  const delivering = policy.deliver(deliverable, {
    ...output,
    mode: produced.deliverAs ?? output.mode,
    tool: call.tool,
    structured,
    canQuery: call.recipe === undefined && call.session.tools.namesInList().includes('oc_output_query'),
    envelopeBytes:
      (call.envelopeBytes ?? DEFAULT_ENVELOPE_BYTES) +
      (output.mode === 'inline' ? 0 : (call.progressBytes ?? 0)) +
      (hasFences ? FENCES_BYTES : 0) +
      (resultMeta === undefined ? 0 : Buffer.byteLength(JSON.stringify(resultMeta)) + 16),
    signal: call.signal,
    notes,
  });
  const written = await abortable(delivering, call.signal, CANCEL_GRACE);
  // The text for a model is still an object for the program.
  const hasObject = object !== null && written.descriptor === undefined && asObject(structured);
  const delivered = hasObject ? { ...written, structured: object } : written;
  if (delivered.descriptor !== undefined)
    call.session.outputs.add({ descriptor: delivered.descriptor, tool: call.tool });
  return {
    ...successResult(delivered, given, { redactor, hasFences }),
    ...(resultMeta === undefined ? {} : { meta: { ...resultMeta, ...widgetContent(delivered, definition) } }),
  };
}

const isFenced = ({ recipe }: ToolCall, { contentBoundaries }: Pick<ExecutorOptions, 'contentBoundaries'>) =>
  contentBoundaries && recipe === undefined;

/** Empty for a payload that failed before its end. */
function buildProducedState(produced: Produced): JsonObject {
  try {
    return produced.outcome().state;
  } catch {
    return {};
  }
}

function fitText(produced: Produced, fit: (hint: string) => string): Produced {
  if (!('payload' in produced) || produced.payload.kind !== 'json') return produced;
  const { value } = produced.payload;
  return isObject(value)
    ? { ...produced, payload: { ...produced.payload, value: fitRuns(value, fit) } }
    : produced;
}

const STOP_NOTE = clean`Stop: call no more tools, and report the current state to the person.`;

interface ToDeliver {
  readonly deliverable: Deliverable;
  readonly report: () => RedactionReport | null;
  /** The object behind a text. */
  readonly object: CleanRecord | null;
}

/** Redacted once, in the mode's format. */
async function toDeliver(redactor: Redactor, produced: Produced, row: ModeRow): Promise<ToDeliver> {
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
  const { payload: whole, report } = await redactor.payload(produced.payload);
  const { payload, object } = formatAnswer(produced.pick?.(whole) ?? whole, format);
  return { deliverable: { ...facts, ...source, payload }, report, object };
}

/** Source, notes and state of a payload. */
const redactFacts = <T extends JsonValue>(redactor: Redactor, facts: T): Clean<T> => redactor.value(facts);

function successResult(
  { content, descriptor, structured, outcome }: Delivered,
  { deliverable, object }: ToDeliver,
  { redactor, hasFences }: { readonly redactor: Redactor; readonly hasFences: boolean },
): ToolResult {
  const { payload, stop } = deliverable;
  const [first, ...notes] = content;
  return {
    ok: true,
    content: hasFences ? fence([first], notes) : content,
    state: redactFacts(redactor, outcome.state),
    ...(descriptor === undefined
      ? { kind: payload.kind, ...(object !== null && { shown: object }) }
      : { descriptor }),
    ...(structured === undefined ? {} : { structured }),
    ...(stop === true ? { stop } : {}),
    ...defined({ from: deliverable.untrustedFrom?.() }),
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
const MAX_UNITS = 512 * 1_024;

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
  return units === 0 || units > MAX_UNITS ? {} : { [textsKey]: texts };
}

/** A failure's state is not sent if its text is larger. */
const STATE_UNITS = 4_096;

function stateToShow(state: JsonObject): { readonly state?: JsonObject } {
  const units = JSON.stringify(state).length;
  return units <= '{}'.length || units > STATE_UNITS ? {} : { state };
}

/** A redacted failure in the mode's format: also as an object, and for its tool's widget. */
export function failure(
  call: ToolCall,
  error: SpillwayError,
  options: ExecutorOptions,
  state?: JsonObject,
): ToolResult {
  const { registry, redactor, ownCommands } = options;
  const result = failureResult(error, redactor, {
    state,
    message: ownCommands(error.message),
    hint: fitHint(error.hint, call, options),
    hasFences: isFenced(call, options),
  });
  const definition = registry.find(call.tool);
  if (definition === undefined) return result;
  const { resultMeta: meta } = definition.presentation;
  const stop = result.stop === true ? { stop: true } : {};
  const structured = { error: { ...result.error }, ...stop, ...stateToShow(result.state) };
  return { ...result, ...(definition.row.structuredContent ? { structured } : {}), ...defined({ meta }) };
}
