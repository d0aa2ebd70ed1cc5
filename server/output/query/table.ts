import Papa from 'papaparse';
import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { StoredOutput } from '../reader.ts';
import { readWhole } from './whole.ts';

/** Bytes of a table, which is read as a whole. */
const TABLE_MAX = 16 * 1024 * 1024;

/** A stored output with its items where they are in memory: those of a table. */
export interface QueriedOutput extends StoredOutput {
  readonly records?: readonly JsonObject[];
}

export const isTable = ({ meta }: StoredOutput): boolean =>
  meta.kind === 'text' && (meta.mime_type === MIME.csv || meta.mime_type === MIME.tsv);

/**
 * CSV or TSV as the records that its first line names; any other output as it is.
 * @throws SpillwayError `invalid_format_for_payload` for text that is not such a table
 */
export async function withRecords(output: StoredOutput, field: string): Promise<QueriedOutput> {
  if (!isTable(output)) return output;
  const text = (await readWhole(output, field, TABLE_MAX)).toString('utf8');
  const records = parseTable(text, output.meta);
  return {
    meta: { ...output.meta, kind: 'items', item_count: records.length },
    records,
    read: (start, end) => output.read(start, end),
    scan: (start) => output.scan(start),
    spans: (first, count) => output.spans(first, count),
    itemAt: (position) => output.itemAt(position),
    close: () => output.close(),
  };
}

function parseTable(text: string, { handle, mime_type: type }: StoredOutput['meta']): JsonObject[] {
  const { data, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    // That of CSV is guessed: semicolons are as usual as commas.
    delimiter: type === MIME.tsv ? '\t' : '',
  });
  const broken = errors.find((error) => error.type === 'Quotes');
  if (broken !== undefined)
    throw new SpillwayError(
      'invalid_format_for_payload',
      `${handle} is not a table: ${broken.message} (record ${broken.row ?? 0}).`,
      { hint: 'Use search or regex.' },
    );
  const numeric = numericNames(data);
  return data.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, cell]) => [name, numeric.has(name) ? numberOf(cell) : cell]),
    ),
  );
}

/** A code or a telephone number is none: it would lose its zeros, its sign or its last digits. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Columns in which every cell is a number, or empty. */
function numericNames(records: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  for (const record of records)
    for (const [name, cell] of Object.entries(record))
      if (cell !== '' && !(typeof cell === 'string' && NUMBER.test(cell))) names.delete(name);
  return names;
}

const numberOf = (cell: string): number | null => (cell === '' ? null : Number(cell));
