import { z } from 'zod';
import { isObject, type JsonValue } from '../../../../shared/json.ts';
import { Json, parseJson } from '../../../../shared/json-schema.ts';
import { RunFields, RunPageFields } from '../../../../shared/tools/runs/output.ts';

/** A tool's answer, from whichever host: the door at which it is read. */
export interface ToolAnswer {
  /** `structuredContent`, else the first text as JSON, else that text. Undefined where nothing came. */
  readonly value: JsonValue | undefined;
  readonly isError: boolean;
  /** Every further block of text: notes on what was read, and on what was not. */
  readonly notes: readonly string[];
}

const Block = z.looseObject({ type: z.string(), text: z.string().optional().catch(undefined) });
const RawAnswer = z.looseObject({
  structuredContent: z.unknown().optional(),
  content: z.array(Block).optional().catch(undefined),
  isError: z.boolean().optional().catch(undefined),
  /** How older hosts with `window.openai` give the text. */
  result: z.string().optional().catch(undefined),
});

/** Reads what a host handed over as a tool's result; never throws. */
export function readAnswer(raw: unknown): ToolAnswer {
  const parsed = RawAnswer.safeParse(raw);
  if (!parsed.success) return { value: undefined, isError: false, notes: [] };
  const { structuredContent, content = [], isError = false, result } = parsed.data;
  const texts = content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
  const value =
    typeof structuredContent === 'object' && structuredContent !== null
      ? Json.parse(structuredContent)
      : parseText(texts[0] ?? result);
  return { value, isError, notes: texts.slice(1).filter((note) => note.trim() !== '') };
}

function parseText(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** An error as every tool of Spillway answers it, and nothing else. */
const WholeError = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    retryable: z.boolean(),
  }),
});

/** A failure of a server that says less, or more. */
const ErrorAnswer = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    retryable: z.boolean().optional(),
  }),
});

export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** A call about which a person is asked first, and nothing else. */
const PendingAnswer = z.strictObject({
  pending: z.strictObject({
    call_id: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.json()),
    interaction: z.record(z.string(), z.json()),
  }),
});

/** A stored answer: its beginning, and where the rest is. */
const StoredAnswer = z.looseObject({
  output_handle: z.string(),
  mime_type: z.string(),
  size_bytes: z.number(),
  item_count: z.number().nullable(),
  preview: z.string().nullable(),
  expires_at: z.string(),
});

export type Run = z.infer<typeof RunFields>;
export type RunPage = z.infer<typeof RunPageFields>;
export type Pending = z.infer<typeof PendingAnswer>['pending'];
export type Stored = z.infer<typeof StoredAnswer>;

/** What an answer is, and so what is shown. */
export type Shown =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'pending'; readonly pending: Pending }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'items'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'stored'; readonly stored: Stored }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'error'; readonly error: ShownError }
  | { readonly kind: 'nothing' };

/** Tells the shapes of an answer apart. Not every host says that an answer is an error. */
export function interpret({ value, isError }: ToolAnswer): Shown {
  if (value === undefined) return isError ? { kind: 'error', error: UNKNOWN_ERROR } : { kind: 'nothing' };
  if (isError || WholeError.safeParse(value).success) return { kind: 'error', error: errorOf(value) };
  const asked = PendingAnswer.safeParse(value);
  if (asked.success) return { kind: 'pending', pending: asked.data.pending };
  if (Array.isArray(value)) return { kind: 'items', items: value };
  const run = RunFields.safeParse(value);
  if (run.success) return { kind: 'run', run: run.data };
  const stored = StoredAnswer.safeParse(value);
  if (stored.success) return { kind: 'stored', stored: stored.data };
  const items = itemsOf(value);
  return items === null ? { kind: 'value', value } : { kind: 'items', items };
}

/** A page of a run's items; null if the answer is not one. */
export function readPage({ value, isError }: ToolAnswer): RunPage | null {
  const page = RunPageFields.safeParse(value);
  return !isError && page.success && page.data.content !== undefined ? page.data : null;
}

/** Why an answer does not match its request. */
export function problemOf(answer: ToolAnswer): ShownError {
  const isPending = interpret(answer).kind === 'pending';
  return isPending ? UNALLOWED : errorOf(answer.value);
}

/** Why an answer is a failure. */
function errorOf(value: JsonValue | undefined): ShownError {
  const parsed = ErrorAnswer.safeParse(value);
  if (parsed.success) return parsed.data.error;
  return typeof value === 'string' && value.trim() !== '' ? { code: 'error', message: value } : UNKNOWN_ERROR;
}

const UNALLOWED: ShownError = { code: 'pending', message: 'The call is waiting for approval.' };
const UNKNOWN_ERROR: ShownError = { code: 'error', message: 'The call failed without a reason.' };

/** `{ items }`, alone: what a list is as an object. */
function itemsOf(value: JsonValue): readonly JsonValue[] | null {
  if (!isObject(value) || !('items' in value)) return null;
  const { items, ...rest } = value;
  return Array.isArray(items) && Object.keys(rest).length === 0 ? items : null;
}
