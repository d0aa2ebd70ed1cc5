import { createHash } from 'node:crypto';
import { diffLines } from 'diff';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import { isJsonList, isObject, type JsonValue } from '../../../shared/json.ts';
import type { Budget } from './budget.ts';
import { itemBatches } from './items.ts';
import { readWhole } from './whole.ts';
import type { QueriedOutput } from './table.ts';
import { RowPage, type Rows } from './row-page.ts';

/** Items of one output that are told apart. */
const ITEMS_MAX = 500_000;
/** Bytes of a text that is compared. */
const TEXT_MAX = 4 * 1024 * 1024;
/** A ref at the beginning of a line of a snapshot, of an item in brackets, or of a cell. */
const REFS = /(^[\t ]*|(?<!\\)[[|])(?:f\d+)*e\d+(?=[ \]|]|$)/gm;
/** Longest that lines are compared. */
const LINES_MS = 5_000;

interface Compared {
  readonly before: QueriedOutput;
  readonly now: QueriedOutput;
  readonly offset: number;
  readonly limit: number;
}

/** What differs: items that are gone or new, wherever they are; of texts, lines that are. @throws SpillwayError `invalid_argument` */
export function compareOutputs(compared: Compared, budget: Budget): Promise<Rows> {
  const { before, now } = compared;
  const areItems = [before, now].map(({ meta }) => meta.kind === 'items');
  if (areItems[0] !== areItems[1])
    throw new SpillwayError('invalid_argument', 'diff: one of the outputs has items, and the other has not.');
  return areItems[0] === true ? compareItems(compared, budget) : compareLines(compared, budget);
}

async function compareItems({ before, now, offset, limit }: Compared, budget: Budget): Promise<Rows> {
  const gone = await countsOf(before);
  const rows = new RowPage(offset, limit, budget);
  for await (const { first, items } of itemBatches(now, 0)) {
    for (const [at, item] of items.entries()) {
      const key = keyOf(item);
      const count = gone.get(key) ?? 0;
      if (count === 0) rows.add({ change: 'added', index: first + at, item });
      else gone.set(key, count - 1);
    }
    budget.check();
  }
  for await (const { first, items } of itemBatches(before, 0)) {
    for (const [at, item] of items.entries()) {
      const key = keyOf(item);
      const count = gone.get(key) ?? 0;
      if (count === 0) continue;
      gone.set(key, count - 1);
      rows.add({ change: 'removed', index: first + at, item });
    }
    budget.check();
  }
  return rows.end();
}

/** How often each item is there. */
async function countsOf(output: QueriedOutput): Promise<Map<string, number>> {
  const { handle, item_count: count } = output.meta;
  if ((count ?? 0) > ITEMS_MAX)
    throw new SpillwayError('invalid_argument', `diff: ${handle} has more than ${ITEMS_MAX} items.`);
  const counts = new Map<string, number>();
  for await (const { items } of itemBatches(output, 0))
    for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

const keyOf = (item: JsonValue): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(item)))
    .digest('base64');

/** The same value with its members in the order of their names. */
function canonical(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member ?? null)]));
}

async function compareLines({ before, now, offset, limit }: Compared, budget: Budget): Promise<Rows> {
  const texts = await Promise.all(
    [before, now].map(async (output) => (await readWhole(output, 'diff', TEXT_MAX)).toString('utf8')),
  );
  // Refs are those of one document: with them all lines of two pages differ.
  const areSnapshots = [before, now].every(({ meta }) => meta.mime_type === MIME.snapshot);
  const [old = '', current = ''] = areSnapshots ? texts.map((text) => text.replace(REFS, '$1')) : texts;
  // Rows are lines: whether the last one has an end would not be seen in them.
  const changes = diffLines(old, current, { timeout: LINES_MS, ignoreNewlineAtEof: true });
  if (changes === undefined)
    throw new SpillwayError('invalid_argument', 'diff: the texts differ too much to be compared by lines.');
  const [was = [], is = []] = texts.map((text) => text.split('\n'));
  const rows = new RowPage(offset, limit, budget);
  let [line, gone] = [0, 0];
  for (const { added, removed, count } of changes) {
    // Lines are those of the text that is there now; what is gone was before this one.
    if (added)
      for (const [at, text] of is.slice(line, line + count).entries())
        rows.add({ change: 'added', line: line + at + 1, text });
    if (removed)
      for (const text of was.slice(gone, gone + count)) rows.add({ change: 'removed', line: line + 1, text });
    if (!removed) line += count;
    if (!added) gone += count;
  }
  return rows.end();
}
