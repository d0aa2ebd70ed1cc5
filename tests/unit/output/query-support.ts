import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonValue } from '../../../shared/json.ts';
import { MIME } from '../../../shared/mime.ts';
import type { QueryRequest } from '../../../server/core/output-query.ts';
import { createOutputQueries } from '../../../server/output/query/index.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { FakeClock, setUp } from './support.ts';

export const PAGE_BYTES = 32_768;

export type Question = Omit<Partial<QueryRequest>, 'output_handle'>;

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** Questions about what a store of its own holds; remove its home. */
export async function setUpQueries() {
  const home = await mkdtemp(join(tmpdir(), 'spillway-test-'));
  const { keep, store } = await setUp({ home });
  const queries = createOutputQueries({ store, clock: new FakeClock(), pageBytes: PAGE_BYTES });
  const { signal } = new AbortController();
  const query = (handle: string, question: Question) =>
    queries.query({ output_handle: handle, offset: 0, limit: 50, ...question }, signal);
  const ask = async (handle: string, question: Question) => (await query(handle, question)).page;
  return {
    home,
    queries,
    ask,
    notesOf: async (handle: string, question: Question) => (await query(handle, question)).notes.join('\n'),
    keepItems: (items: Iterable<JsonValue>): Promise<string> =>
      keep({ kind: 'items', mimeType: MIME.json, items: each(vouch([...items])) }),
    keepJson: (value: JsonValue): Promise<string> =>
      keep({ kind: 'json', mimeType: MIME.json, value: vouch(value) }),
    keepText: (...chunks: readonly string[]): Promise<string> =>
      keep({ kind: 'text', mimeType: MIME.text, chunks: each(vouch(chunks)) }),
    /** All rows of a question, page by page. */
    async askAll(handle: string, question: Question): Promise<readonly JsonValue[]> {
      const rows: JsonValue[] = [];
      for (let offset: number | null = 0; offset !== null;) {
        const page = await ask(handle, { ...question, offset });
        expect(page.next_offset === null).toBe(page.eof);
        expect(page.returned).toBe(page.content.length);
        rows.push(...page.content);
        offset = page.next_offset;
      }
      return rows;
    },
  };
}
