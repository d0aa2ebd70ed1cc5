import { RE2JS, RE2JSException } from 're2js';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { textsOf } from '../../../shared/base/cut.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { readWith, type FoundText, type QueriedPage, type QueryRequest } from '../../core/output/index.ts';
import type { Clock } from '../../core/services.ts';
import { vouch } from '../../libraries/redaction/mark.ts';
import { factsOf } from '../../core/output/pager.ts';
import { itemBatches, withOutput, type OutputSource, type StoredOutput } from '../../core/output/reader.ts';
import { wrongKind } from '../../core/output/format.ts';
import { Budget, asksEachItem, compileExpression, WHOLE_WORK, readWhole } from './budget.ts';
import { compareOutputs, DEPTH_MAX, Shape, Stats } from './describe.ts';
import { RowPage, type Rows, collect, queryRows, isTable, withRecords } from './rows.ts';
import { literalFinder, type Finder, type FoundBytes, searchOutput } from './search.ts';

const NEWLINE = 10;
const COMMA = 44;

/**
 * Finds a regular expression within lines, in a time that grows only with the length of the text.
 * @param isItems each line is an item: an expression sees one of them, without its separator
 * @throws SpillwayError `invalid_argument`
 */
function regexFinder(pattern: string, isItems: boolean): Finder {
  const regex = compile(pattern);
  return (bytes, from, to) => {
    if (!isItems) return findIn(regex, bytes, from, to);
    for (let at = from; at < to;) {
      const { start, end, next } = itemAround(bytes, at);
      const found = findIn(regex, bytes.subarray(start, end), at - start, to - start);
      if (found !== null) return { start: start + found.start, end: start + found.end };
      at = next;
    }
    return null;
  };
}

function findIn(regex: RE2JS, bytes: Buffer, from: number, to: number): FoundBytes | null {
  if (from >= bytes.length) return null;
  // It sees the context on both sides: ^, $ and \b refer to the text, not to the start of a search.
  const matcher = regex.matcher(bytes);
  for (let found = matcher.find(from); found && matcher.start() < to; found = matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    // An empty match would match everywhere.
    if (end > start) return { start, end };
  }
  return null;
}

/** The item that contains or precedes a byte, as far as these bytes show it, and where the next begins. */
function itemAround(bytes: Buffer, at: number): FoundBytes & { readonly next: number } {
  const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const newline = bytes.indexOf(NEWLINE, at);
  if (newline < 0) return { start, end: bytes.length, next: bytes.length };
  return { start, end: bytes[newline - 1] === COMMA ? newline - 1 : newline, next: newline + 1 };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE);
  } catch (thrown) {
    if (!(thrown instanceof RE2JSException)) throw thrown;
    throw new SpillwayError('invalid_argument', `regex: ${messageOf(thrown)}`, {
      hint: 'The syntax is RE2: no lookaround and no references to groups.',
      cause: thrown,
    });
  }
}

/** Longest time of one query until a partial answer. */
const TIME_MS = 20_000;
/** Bytes of JSON that one expression sees together. */
const WHOLE_MAX = 16 * 1024 * 1024;

const CUT_NOTE =
  'Rows with oversized_bytes are cut: read_with is the call that reads all of one, whose next_offset continues. Or name fields in fields.';

/**
 * Answers questions about stored outputs.
 * @param pageBytes `--output-page-bytes`: serialised content of one page
 */
export function createOutputQueries(store: OutputSource, clock: Pick<Clock, 'monotonic'>, pageBytes: number) {
  return {
    async query(request: QueryRequest, signal: AbortSignal): Promise<QueriedPage> {
      const kind = getQueryKind(request);
      signal.throwIfAborted();
      return await withOutput(store, request.output_handle, async (stored) => {
        const output = TEXT_KINDS.has(kind) ? stored : await withRecords(stored, kind);
        const budget = new Budget({ clock, signal, timeMs: TIME_MS, bytes: pageBytes });
        const rows = await rowsOf(output, request, { store, kind, budget });
        const shown = await Promise.all(rows.rows.map((row) => withCall(row, output, budget)));
        return toPage(output, request, { kind, ...rows, rows: shown, hasCut: budget.cut.size > 0 });
      });
    },
  };
}

/** A row that was cut names the call that reads its item; a table's or a computed one, that reads the output. */
async function withCall(row: JsonValue, { meta }: StoredOutput, { cut }: Budget): Promise<JsonValue> {
  const source = cut.get(row);
  if (source === undefined || !isObject(row)) return row;
  const spans = await source?.output.spans(source.index, 1);
  return { ...row, read_with: readWith(source?.output.meta.handle ?? meta.handle, spans?.[0]) };
}

const KINDS = ['search', 'regex', 'jmespath', 'diff', 'schema', 'stats'] as const;
type Kind = (typeof KINDS)[number] | 'rows';
/** For a table, too, they search its text. So does a diff with an output that is not a table. */
const TEXT_KINDS: ReadonlySet<Kind> = new Set(['search', 'regex', 'diff']);

/** The one question of a request. @throws SpillwayError `invalid_argument` for none, and for two */
function getQueryKind(request: QueryRequest): Kind {
  const asked: Kind[] = KINDS.filter((kind) => request[kind] !== undefined && request[kind] !== false);
  const { fields, where, sort } = request;
  if (fields !== undefined || where !== undefined || sort !== undefined) asked.push('rows');
  const [kind, other] = asked;
  if (kind !== undefined && other === undefined) return kind;
  const name = (one: Kind): string => (one === 'rows' ? 'fields, where and sort' : one);
  throw invalidArgument(
    kind === undefined || other === undefined
      ? 'A query has one of search, regex, jmespath, diff, schema, stats, or fields, where and sort.'
      : `${name(kind)} cannot be used together with ${name(other)}.`,
  );
}

function toPage(
  { meta }: StoredOutput,
  { offset, limit }: QueryRequest,
  { kind, rows, next, total, notes, hasCut }: Rows & { readonly kind: Kind; readonly hasCut: boolean },
): QueriedPage {
  const unit = total !== undefined ? 'rows' : meta.kind === 'items' ? 'items' : 'bytes';
  // A schema and statistics describe all items.
  const hasPlaces = kind !== 'schema' && kind !== 'stats';
  return {
    page: vouch({
      output_handle: meta.handle,
      offset,
      limit,
      returned: rows.length,
      total: total ?? meta.item_count ?? meta.size_bytes,
      next_offset: next,
      content: rows,
      eof: next === null,
    }),
    notes: textsOf(hasPlaces && `offset and total count ${unit}.`, ...notes, hasCut && CUT_NOTE),
    stored: factsOf(meta),
  };
}

async function rowsOf(
  output: StoredOutput,
  request: QueryRequest,
  { store, kind, budget }: { readonly store: OutputSource; readonly kind: Kind; readonly budget: Budget },
): Promise<Rows> {
  const { offset, limit, search = '', regex = '', diff = '' } = request;
  const { kind: stored, mime_type: type } = output.meta;
  switch (kind) {
    case 'search':
      return find(output, literalFinder(search, type === MIME.json), request, budget);
    case 'regex':
      return find(output, regexFinder(regex, stored === 'items'), request, budget);
    case 'rows':
      if (stored === 'items') return queryRows(output, request, budget);
      throw wrongKind(output.meta, 'not items', {
        field: 'where, fields and sort',
        hint: type === MIME.json ? 'Use jmespath.' : 'Use search or regex.',
      });
    case 'jmespath':
      return jmespath(output, request, budget);
    case 'diff':
      return withOutput(store, diff, async (other) => {
        const areTables = isTable(output) && isTable(other);
        const before = areTables ? await withRecords(output, 'diff') : output;
        const now = areTables ? await withRecords(other, 'diff') : other;
        return compareOutputs(before, now, new RowPage(offset, limit, budget), budget);
      });
    case 'schema':
      return schema(output, budget);
    case 'stats':
      return stats(output, budget);
  }
}

async function find(
  output: StoredOutput,
  finder: Finder,
  { offset, limit }: QueryRequest,
  budget: Budget,
): Promise<Rows> {
  const unit = output.meta.kind === 'items' ? 'index' : 'offset';
  const rowOf = ({ offset: at, before, match, after }: FoundText): JsonObject => ({
    [unit]: at,
    match,
    context: `${before}${match}${after}`,
  });
  return { ...(await searchOutput(output, finder, { from: offset, limit, budget, rowOf })), notes: [] };
}

async function jmespath(output: StoredOutput, request: QueryRequest, budget: Budget): Promise<Rows> {
  const { offset, limit } = request;
  const expression = compileExpression('jmespath', request.jmespath ?? '');
  if (output.meta.kind === 'items' && asksEachItem(expression))
    return collect(output, request, budget, (item) => listOf(expression.of([item])));
  const found = expression.of(await readJson(output, 'jmespath'), WHOLE_WORK);
  const page = new RowPage(offset, limit, budget);
  for (const row of isJsonList(found) ? found : [found]) page.add(row);
  return page.end();
}

/** An item without a result is left out, as in JMESPath. */
const listOf = (value: JsonValue): readonly JsonValue[] => (isJsonList(value) ? value : []);

async function schema(output: StoredOutput, budget: Budget): Promise<Rows> {
  const shape = new Shape();
  const notes = await eachItem(output, 'schema', (item) => shape.add(item), budget);
  for (let levels = DEPTH_MAX; ; levels -= 1) {
    const row = shape.toSchema(levels);
    if (levels > 0 && !budget.holds(row)) continue;
    const cutNotes = levels === DEPTH_MAX ? [] : [`Below level ${levels} it is left out: it is too large.`];
    return { rows: [row], next: null, total: 1, notes: [...notes, ...cutNotes] };
  }
}

async function stats(output: StoredOutput, budget: Budget): Promise<Rows> {
  const counted = new Stats();
  const notes = await eachItem(output, 'stats', (item) => counted.add(item), budget);
  const rows = counted.rows();
  return { rows, next: null, total: rows.length, notes: [...notes, ...counted.notes] };
}

/** JSON other than a list is one item. */
async function eachItem(
  output: StoredOutput,
  field: string,
  take: (item: JsonValue) => void,
  budget: Budget,
): Promise<readonly string[]> {
  if (output.meta.kind !== 'items') {
    take(await readJson(output, field));
    return [];
  }
  for await (const { first, items } of itemBatches(output, 0)) {
    for (const item of items) take(item);
    const seen = first + items.length;
    if (!budget.hasTime() && seen < (output.meta.item_count ?? 0))
      return [`Only the first ${seen} items were looked at: it took too long.`];
  }
  return [];
}

async function readJson(output: StoredOutput, field: string): Promise<JsonValue> {
  if (output.records !== undefined) return output.records;
  const hint = 'Use search or regex.';
  if (output.meta.mime_type !== MIME.json) throw wrongKind(output.meta, 'not JSON', { field, hint });
  // A site's type may be wrong, and a text that was cut is not valid JSON.
  const value = jsonIn((await readWhole(output, field, WHOLE_MAX)).toString('utf8'));
  if (value === undefined) throw wrongKind(output.meta, 'which is not valid JSON', { field, hint });
  return value;
}
