import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { formatAnswer, formatOf } from './answer-format.ts';
import { fence } from './boundaries.ts';
import { widgetContent } from './widget-content.ts';
import type { OutputRequest } from '../output-request.ts';
import type { ModeRow, ToolDefinition } from '../registry/definition.ts';
import { boundNotes, editedNote, redactionNotes, untrustedNote } from './notes.ts';
import type { CleanPayload, Deliverable, Outcome, Produced, RedactionReport } from '../payload.ts';
import { clean, type Clean, type CleanRecord, type CleanText } from '../../redact/clean.ts';
import type { ToolResult } from '../result.ts';
import type { ToolCall } from './call.ts';
import type { Delivered, DeliverOptions, OutputPolicy, Redactor } from '../services.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import { abortable } from '../../../shared/async/wait.ts';

const STOP_NOTE = clean`Stop: call no more tools, and report the current state to the person.`;

/** What is known of the state when delivery failed: everything if the source had ended, else nothing. */
export async function stateOf(produced: Produced): Promise<JsonObject> {
  const nothing: JsonObject = {};
  return Promise.race([
    produced.done.then(
      ({ state }) => state,
      () => nothing,
    ),
    new Promise<JsonObject>((resolve) => setImmediate(resolve, nothing)),
  ]);
}

/** What the policy is given: redacted once, and in the format of the mode. */
function toDeliver(
  redactor: Redactor,
  produced: Produced,
  row: ModeRow,
): {
  readonly deliverable: Deliverable;
  readonly report: () => RedactionReport | null;
  readonly object: CleanRecord | null;
} {
  const format = formatOf(row, produced);
  const literal = (text: string): CleanText => redactFacts(redactor, { text }).text;
  const { untrustedFrom, ...facts } = produced;
  const source =
    untrustedFrom === undefined
      ? {}
      : { untrustedFrom: () => redactFacts(redactor, { source: untrustedFrom() }).source };
  if ('clean' in produced) {
    const { payload, object } = formatAnswer(produced.clean, format, literal);
    return { deliverable: { ...facts, ...source, payload }, report: () => produced.redacted ?? null, object };
  }
  const { payload: whole, report } = redactor.payload(produced.payload);
  const { payload, object } = formatAnswer(produced.pick?.(whole) ?? whole, format, literal);
  return { deliverable: { ...facts, ...source, payload }, report, object };
}

/** What accompanies a payload: its source, the notes, the state. */
const redactFacts = <T extends JsonValue>(redactor: Redactor, facts: T): Clean<T> => redactor.value(facts);

/** The notes of a payload once it was consumed. */
function notesOf(
  { untrustedFrom, stop }: Deliverable,
  known: {
    readonly row: ModeRow;
    /** What a person made of the arguments; null where nobody changed them. */
    readonly editedArgs: JsonObject | null;
    /** How a person's yes came about. */
    readonly decided: CleanText | null;
    /** The session has used most of its budget. */
    readonly warning: CleanText | null;
    readonly outcome: Outcome;
    readonly report: RedactionReport | null;
    readonly redactor: Redactor;
  },
): readonly CleanText[] {
  const { row, editedArgs, decided, warning, outcome, report, redactor } = known;
  const source = untrustedFrom?.();
  const redacted = redactFacts(redactor, { note: row.note, coverage: outcome.coverage, editedArgs });
  return [
    ...(stop === true ? [STOP_NOTE] : []),
    ...(decided === null ? [] : [decided]),
    ...(warning === null ? [] : [warning]),
    ...(redacted.editedArgs === null ? [] : [editedNote(redacted.editedArgs)]),
    ...(redacted.note === null ? [] : [redacted.note]),
    ...(source === undefined ? [] : [untrustedNote(source)]),
    ...(report === null ? [] : redactionNotes(report)),
    ...boundNotes(redacted.coverage),
  ];
}

function successResult(
  delivered: Delivered,
  {
    redactor,
    fenced,
    kind,
  }: { readonly redactor: Redactor; readonly fenced: boolean; readonly kind: CleanPayload['kind'] },
): ToolResult {
  const { descriptor, structured } = delivered;
  return {
    ok: true,
    content: fenced ? fence(delivered.content) : delivered.content,
    state: redactFacts(redactor, delivered.outcome.state),
    ...(descriptor === undefined ? { kind } : { descriptor }),
    ...(structured === undefined ? {} : { structured }),
  };
}

const DEFAULT_ENVELOPE_BYTES = 256;
/** Two fences of `fence()` with room for their blocks. */
const FENCES_BYTES = 320;

/** A caller in this process has the descriptor anyhow. An inline answer is an object where a schema says so. */
function structuredOf(
  { wantsObject = false }: ToolCall,
  { row, presentation }: ToolDefinition,
): DeliverOptions['structured'] {
  if (wantsObject) return 'inline';
  return presentation.outputSchema !== undefined || (row.structuredContent && 'stored');
}

const asObject = (structured: DeliverOptions['structured']): boolean =>
  structured === true || structured === 'inline';

/** Whether the handle of this answer is for a model that has the tool to ask questions of it. */
const canQuery = ({ recipe, session }: ToolCall): boolean =>
  recipe === undefined && session.tools.listed().includes('oc_output_query');

/** Consumes what a runtime has produced, through redaction and the output policy. */
export async function deliver(
  step: {
    readonly call: ToolCall;
    readonly services: { readonly policy: OutputPolicy; readonly redactor: Redactor };
    readonly isEdited: boolean;
    readonly note: CleanText | null;
  },
  how: {
    readonly definition: ToolDefinition;
    readonly args: JsonObject;
    readonly output: OutputRequest;
    readonly produced: Produced;
    /** Nonce fences around page text. */
    readonly contentBoundaries: boolean;
    /** Asked once. */
    readonly warning: () => CleanText | null;
  },
): Promise<ToolResult> {
  const { call, services } = step;
  const { definition, output, produced } = how;
  const { row, presentation } = definition;
  const { resultMeta } = presentation;
  const fenced = how.contentBoundaries && produced.untrustedFrom !== undefined;
  const { policy, redactor } = services;
  const editedArgs = step.isEdited ? how.args : null;
  const { deliverable, report, object } = toDeliver(redactor, produced, row);
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
      (fenced ? FENCES_BYTES : 0) +
      (resultMeta === undefined ? 0 : Buffer.byteLength(JSON.stringify(resultMeta)) + 16),
    signal: call.signal,
    notes: (outcome) =>
      notesOf(deliverable, {
        row,
        editedArgs,
        decided: step.note,
        warning: how.warning(),
        outcome,
        report: report(),
        redactor,
      }),
  });
  const written = await abortable(delivering, call.signal, CANCEL_GRACE);
  // What is text for the model is still an object for its program.
  const hasObject = object !== null && written.descriptor === undefined && asObject(structured);
  const delivered = hasObject ? { ...written, structured: object } : written;
  if (delivered.descriptor !== undefined)
    call.session.outputs.add({ descriptor: delivered.descriptor, tool: call.tool });
  return {
    ...successResult(delivered, { redactor, fenced, kind: deliverable.payload.kind }),
    ...(resultMeta === undefined ? {} : { meta: { ...resultMeta, ...widgetContent(delivered, definition) } }),
    ...(produced.stop === true ? { stop: true } : {}),
  };
}

/** A state that takes more text than this is not sent with a failure. */
const STATE_UNITS = 4_096;

/** What failed work had achieved, for widgets. */
function shownState(state: JsonObject): { readonly state?: JsonObject } {
  const units = JSON.stringify(state).length;
  return units <= '{}'.length || units > STATE_UNITS ? {} : { state };
}

/** A failure as the mode sends it: as an object too, and for the widget of its tool. */
export function presentFailure(failure: ToolResult, definition: ToolDefinition | undefined): ToolResult {
  const { error, state } = failure;
  if (error === undefined || definition === undefined) return failure;
  const { resultMeta } = definition.presentation;
  return {
    ...failure,
    ...(definition.row.structuredContent
      ? { structured: { error: { ...error }, ...shownState(state) } }
      : {}),
    ...(resultMeta === undefined ? {} : { meta: resultMeta }),
  };
}
