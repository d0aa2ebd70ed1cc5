import { RE2JS, RE2JSException } from 're2js';
import { SpillwayError, invalidArgument } from '../../../shared/errors.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { isJsonList, type JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/json-schema.ts';
import type { OutputQueries, QueriedPage, QueryRequest } from '../../core/output.ts';
import type { Clock } from '../../core/services.ts';
import { vouch } from '../../redact/mark.ts';
import { factsOf } from '../pager.ts';
import { type StoredOutput, itemBatches, type QueriedOutput } from '../reader.ts';
import type { OutputStore } from '../store.ts';
import { boundaryBefore } from '../format.ts';
import { Budget, asksEachItem, compileExpression, WHOLE_WORK, readWhole } from './budget.ts';
import { compareOutputs, DEPTH_MAX, Shape, Stats } from './describe.ts';
import { RowPage, type Rows, queryEach, queryRows, isTable, withRecords } from './rows.ts';
import { literalFinder, type Finder, type Found, searchOutput } from './search.ts';

const NEWLINE = 10;
const COMMA = 44;

/**
 * Finds a regular expression within lines, in a time that grows only with the length of the text.
 * @param isItems each line is an item: an expression sees one of them, without its separator
 * @throws SpillwayError `invalid_argument`
 */
function regexFinder(pattern: string, isItems: boolean): Finder {
  const regex = compile(pattern);
  return {
    cut: (bytes, _from, to) => boundaryBefore(bytes, to),
    next(bytes, from, to) {
      if (!isItems) return findIn(regex, bytes, from, to);
      for (let at = from; at < to;) {
        const { start, end, next } = itemAround(bytes, at);
        const found = findIn(regex, bytes.subarray(start, end), at - start, to - start);
        if (found !== null) return { start: start + found.start, end: start + found.end };
        at = next;
      }
      return null;
    },
  };
}

function findIn(regex: RE2JS, bytes: Buffer, from: number, to: number): Found | null {
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
function itemAround(bytes: Buffer, at: number): Found & { readonly next: number } {
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
  'Rows that are larger than a page are cut: too_large_bytes is their size. Name fields in fields, or read the item with oc_output_fetch.';

interface QueryOptions {
  readonly store: Pick<OutputStore, 'open'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** `--output-page-bytes`: serialised content of one page. */
  readonly pageBytes: number;
}

/** Answers questions about stored outputs. */
export function createOutputQueries({ store, clock, pageBytes }: QueryOptions): OutputQueries {
  return {
    async query(request, signal) {
      const kind = kindOf(request);
      signal.throwIfAborted();
      const output = await store.open(request.output_handle);
      try {
        const asked = TEXT_KINDS.has(kind) ? output : await withRecords(output, kind);
        return await answer(asked, request, {
          store,
          kind,
          budget: new Budget({ clock, signal, timeMs: TIME_MS, bytes: pageBytes }),
        });
      } finally {
        await output.close();
      }
    },
  };
}

const KINDS = ['search', 'regex', 'jmespath', 'diff', 'schema', 'stats'] as const;
type Kind = (typeof KINDS)[number] | 'rows';
/** For a table, too, they search its text. So does a diff with an output that is not a table. */
const TEXT_KINDS: ReadonlySet<Kind> = new Set(['search', 'regex', 'diff']);

/** The one question of a request. @throws SpillwayError `invalid_argument` for none, and for two */
function kindOf(request: QueryRequest): Kind {
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

interface Asked {
  readonly store: Pick<OutputStore, 'open'>;
  readonly kind: Kind;
  readonly budget: Budget;
}

async function answer(output: QueriedOutput, request: QueryRequest, asked: Asked): Promise<QueriedPage> {
  const { handle, kind, item_count: count, size_bytes: size } = output.meta;
  const { offset, limit } = request;
  const { rows, next, total, notes: own } = await rowsOf(output, request, asked);
  const notes = asked.budget.hasCut ? [...own, CUT_NOTE] : own;
  const unit = total !== undefined ? 'rows' : kind === 'items' ? 'items' : 'bytes';
  return {
    page: vouch({
      output_handle: handle,
      offset,
      limit,
      returned: rows.length,
      total: total ?? count ?? size,
      next_offset: next,
      content: rows,
      eof: next === null,
    }),
    // A schema and statistics describe all items.
    notes:
      asked.kind === 'schema' || asked.kind === 'stats'
        ? notes
        : [`offset and total count ${unit}.`, ...notes],
    stored: factsOf(output.meta),
  };
}

async function rowsOf(
  output: QueriedOutput,
  request: QueryRequest,
  { store, kind, budget }: Asked,
): Promise<Rows> {
  const { offset, limit } = request;
  switch (kind) {
    case 'search':
      return find(
        output,
        literalFinder(request.search ?? '', output.meta.mime_type === 'application/json'),
        request,
        budget,
      );
    case 'regex':
      return find(output, regexFinder(request.regex ?? '', output.meta.kind === 'items'), request, budget);
    case 'rows':
      needItems(output, 'where, fields and sort');
      return queryRows(output, request, budget);
    case 'jmespath':
      return jmespath(output, request, budget);
    case 'diff': {
      const now = await store.open(request.diff ?? '');
      try {
        const areTables = isTable(output) && isTable(now);
        const [before, after] = areTables
          ? [await withRecords(output, 'diff'), await withRecords(now, 'diff')]
          : [output, now];
        return await compareOutputs({ before, now: after, offset, limit }, budget);
      } finally {
        await now.close();
      }
    }
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
  const { matches, next } = await searchOutput(output, finder, { from: offset, limit, budget });
  const unit = output.meta.kind === 'items' ? 'index' : 'offset';
  const rows = matches.map(({ offset: at, before, match, after }) => ({
    [unit]: at,
    match,
    context: `${before}${match}${after}`,
  }));
  return { rows, next, notes: [] };
}

async function jmespath(output: QueriedOutput, request: QueryRequest, budget: Budget): Promise<Rows> {
  const { offset, limit } = request;
  const expression = compileExpression('jmespath', request.jmespath ?? '');
  if (output.meta.kind === 'items' && asksEachItem(expression))
    return queryEach(output, { expression, offset, limit }, budget);
  const found = expression.of(await readJson(output, 'jmespath'), WHOLE_WORK);
  const all = isJsonList(found) ? found : [found];
  const page = new RowPage(offset, limit, budget);
  for (const row of all) page.add(row);
  return page.end();
}

async function schema(output: QueriedOutput, budget: Budget): Promise<Rows> {
  const shape = new Shape();
  const notes = await eachItem(output, 'schema', (item) => shape.add(item), budget);
  for (let levels = DEPTH_MAX; ; levels -= 1) {
    const row = shape.toSchema(levels);
    if (levels > 0 && !budget.holds(row)) continue;
    const cutNotes = levels === DEPTH_MAX ? [] : [`Below level ${levels} it is left out: it is too large.`];
    return { rows: [row], next: null, total: 1, notes: [...notes, ...cutNotes] };
  }
}

async function stats(output: QueriedOutput, budget: Budget): Promise<Rows> {
  const counted = new Stats();
  const notes = await eachItem(output, 'stats', (item) => counted.add(item), budget);
  const rows = counted.rows();
  return { rows, next: null, total: rows.length, notes: [...notes, ...counted.notes] };
}

/** JSON other than a list is one item. */
async function eachItem(
  output: QueriedOutput,
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

async function readJson(output: QueriedOutput, field: string): Promise<JsonValue> {
  if (output.records !== undefined) return output.records;
  const { handle, kind, mime_type: type } = output.meta;
  if (kind !== 'items' && kind !== 'json')
    throw new SpillwayError('invalid_format_for_payload', `${field}: ${handle} contains ${type}, not JSON.`, {
      hint: 'Use search or regex.',
    });
  return parseJson((await readWhole(output, field, WHOLE_MAX)).toString('utf8'));
}

function needItems(output: StoredOutput, fields: string): void {
  const { handle, kind, mime_type: type } = output.meta;
  if (kind === 'items') return;
  throw new SpillwayError('invalid_format_for_payload', `${fields}: ${handle} contains ${type}, not items.`, {
    hint: kind === 'json' ? 'Use jmespath.' : 'Use search or regex.',
  });
}
