import { isObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import { clean, cleanJsonText, joinClean, type CleanJson } from '../../redact/clean.ts';
import type { CleanRecord, CleanText } from '../../redact/clean.ts';
import type { CleanPayload, Produced } from '../payload.ts';
import type { AnswerTemplate, ModeRow, ResponseFormat, Template } from '../registry/definition.ts';
import { keptKeys, templateKeys, templateParts } from '../registry/row.ts';

/** How the row writes this answer: what started a run has a format of its own. */
export function formatOf(
  { text, receipt }: Pick<ModeRow, 'text' | 'receipt'>,
  { isRunReceipt }: Produced,
): ResponseFormat {
  if (isRunReceipt !== true) return text;
  return receipt === null ? 'full' : { template: receipt };
}

/** Text of a mode's own, as what a redactor has seen. */
type Literal = (text: string) => CleanText;

/** A payload in a format. `object` is what a text says, for `structuredContent`; null where the payload is no such text. */
export function formatAnswer(
  payload: CleanPayload,
  format: ResponseFormat,
  literal: Literal,
): { readonly payload: CleanPayload; readonly object: CleanRecord | null } {
  const asItIs = { payload, object: null };
  if (format === 'full' || payload.kind !== 'json') return asItIs;
  const { value } = payload;
  if (!isObject(value)) return asItIs;
  const object = keep(value, keptKeys(format));
  if (!('template' in format)) return { payload: { ...payload, value: object }, object: null };
  if (templateKeys(format.template).some((key) => value[key] === undefined)) return asItIs;
  const text = write(value, format, literal);
  return { payload: { kind: 'text', mimeType: MIME.text, chunks: once(text) }, object };
}

function keep(value: CleanRecord, keys: readonly string[] | null): CleanRecord {
  if (keys === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

function write(value: CleanRecord, { template, each = [] }: AnswerTemplate, literal: Literal): CleanText {
  const lines = each.flatMap(({ of, template: line }) =>
    elementsOf(value[of]).map((one) => fill(line, one, literal)),
  );
  return joinClean([fill(template, value, literal), ...lines], '\n');
}

const elementsOf = (list: CleanJson | undefined): readonly CleanRecord[] =>
  Array.isArray(list) ? (list as readonly CleanJson[]).filter((one) => isObject(one)) : [];

/** Strings as they are, other values as JSON; what is missing is nothing. */
function fill(template: Template, value: CleanRecord, literal: Literal): CleanText {
  const parts = templateParts(template).map((part, index) =>
    index % 2 === 0 ? literal(part) : textOf(value[part]),
  );
  return joinClean(parts, '');
}

function textOf(value: CleanJson | undefined): CleanText {
  if (value === undefined) return clean``;
  return typeof value === 'string' ? value : cleanJsonText(value);
}

async function* once(text: CleanText): AsyncGenerator<CleanText, void> {
  yield text;
}
