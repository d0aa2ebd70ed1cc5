import { beforeEach, describe, expect, it, vi } from 'vitest';
import { onAbort } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { pageFacts } from '../../support/fake-tabs.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, price: { type: 'number' }, note: { type: 'string' } },
  required: ['name', 'price'],
};

const field = (value: JsonValue) => ({ value, strategy: 'tables', selector: 'td', confidence: 1 }) as const;

function found(name: string, price: string): FoundRecord {
  return {
    strategy: 'tables',
    where: `#${name}`,
    lang: 'en',
    fields: { name: field(name), price: field(price) },
  };
}

const MANY = Array.from({ length: 500 }, (_, at) => found(`Thing ${at}`, `$${at}.50`));
const RECORDS = MANY.map((_, at) => ({ name: `Thing ${at}`, price: at + 0.5, note: null }));

let server: MemoryServer;
/** The pages of the tab, in the order in which they are read. */
let pages: FoundRecord[][];
let reads: number;

beforeEach(async () => {
  server = await startMemoryServer();
  server.bridge.addBrowser({ 1: { url: 'https://shop.test/1', title: 'Shop', content: () => [] } });
  pages = [MANY];
  reads = 0;
  server.bridge.answer({
    'page.extract': async function* ({ tab_id }, { browser }) {
      server.bridge.tabs.find(browser, tab_id);
      const records = pages[reads] ?? [];
      reads += 1;
      const url = `https://shop.test/${reads}`;
      const next = reads < pages.length ? { url: null, selector: 'button', text: 'More' } : null;
      for (const record of records) yield `${JSON.stringify(record)}\n`;
      return {
        page: { ...pageFacts({ url, title: 'Shop' }), lang: 'en' },
        coverage: [],
        tried: [{ strategy: 'tables', records: records.length, coverage: 0.9 }],
        hidden_records: 0,
        next,
      };
    },
  });
});

const extract = (args: Record<string, unknown>) =>
  server.call('extract_data', { tab: 'b1:1', schema: SCHEMA, ...args });

describe('a page that is scrolled', () => {
  let moves: string[];
  let onMove: (done: number, signal: AbortSignal) => unknown;

  /** A page of several windows, which holds only the one in view. */
  function scrollOver(windows: readonly FoundRecord[][]): void {
    let at = 0;
    moves = [];
    onMove = () => undefined;
    server.bridge.answer({
      'page.scroll': async ({ action }, { signal }) => {
        moves.push(action);
        await onMove(moves.length, signal);
        signal.throwIfAborted();
        at = action === 'step' ? at + 1 : 0;
        pages[reads] = windows[at] ?? [];
        return {
          is_over: at >= windows.length - 1,
          is_lossy: at > 0,
          is_stuck: false,
          has_grown: false,
          missing_rows: null,
          unfocused: null,
        };
      },
    });
    pages = [];
  }
  const WINDOWS = [MANY.slice(0, 200), MANY.slice(150, 350), MANY.slice(300)];
  const all = { multiple: true, scroll: 'to_end' };

  it('is read at each window where it holds only the rows in view', async () => {
    scrollOver(WINDOWS);
    const answer = await extract(all);
    expect(answer.json()).toEqual(RECORDS);
    expect(answer.notes).toContain('combines 3 windows');
    expect(moves).toEqual(['begin', 'step', 'begin', 'step', 'step', 'end']);
  });

  it('answers the rows that it has read by its deadline when a window never comes to rest', async () => {
    scrollOver(WINDOWS);
    // The time of the call passes while the page makes this step.
    onMove = (done, signal) => {
      if (done !== 4) return;
      setImmediate(() => vi.advanceTimersByTime(LIMITS.syncWaitMs));
      return new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));
    };
    vi.useFakeTimers({ toFake: ['hrtime', 'setTimeout', 'clearTimeout'] });
    const answer = await extract(all);
    expect(answer.json()).toEqual(RECORDS.slice(0, 200));
    expect(answer.notes).toContain('scroll_stopped: scrolling took longer than 45 s (--sync-wait-ms)');
    await expect.poll(() => moves.at(-1)).toBe('end');
  });

  it('is scrolled back when the call is cancelled', async () => {
    scrollOver(WINDOWS);
    const cancel = new AbortController();
    onMove = (done) => {
      if (done === 4) cancel.abort();
    };
    const args = { tab: 'b1:1', schema: SCHEMA, ...all };
    await expect(server.call('extract_data', args, cancel.signal)).rejects.toThrow();
    await expect.poll(() => moves.at(-1)).toBe('end');
    expect(moves.length).toBeLessThan(7);
  });
});

it('what is missing or invalid is named in notes, and record by record when asked to explain', async () => {
  pages = [[found('A', '$1'), found('B', 'call us'), { ...found('C', ''), fields: { name: field('C') } }]];
  const answer = await extract({ multiple: true, explain: true });
  const items =
    answer.json<{ record: unknown; problems: { field: string; problem: string; reason: string }[] }[]>();
  expect(items.map(({ record }) => record)).toEqual([
    { name: 'A', price: 1, note: null },
    { name: 'B', price: null, note: null },
    { name: 'C', price: null, note: null },
  ]);
  expect(items[1]?.problems).toMatchObject([
    { field: 'price', problem: 'invalid', reason: '"call us" contains no number' },
    { field: 'note', problem: 'missing' },
  ]);
  expect(items[2]?.problems[0]).toMatchObject({ field: 'price', problem: 'missing' });
  expect(answer.notes).toContain('price: invalid in 1 of 3 records, first in record 2: "call us"');
  expect(answer.notes).toContain('price: required and not found in 1 of 3 records.');
  expect(answer.notes).toContain('note: not found in 3 of 3 records.');
});

it('what is missing or invalid is named secrets are redacted, in records and in what is said of them', async () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
  pages = [[found(token, `see ${token}`)]];
  const answer = await extract({ multiple: true, explain: true });
  expect(answer.text + answer.notes).not.toContain(token);
});

it('what is missing or invalid is named nothing at all is an error that says what was tried', async () => {
  pages = [[]];
  for (const multiple of [true, false]) {
    reads = 0;
    const answer = await extract({ multiple });
    expect(answer.code()).toBe('nothing_matched');
    expect(answer.text).toContain('https://shop.test/1');
    expect(answer.text).toContain('tables (none)');
  }
});

it('a question about the button of the first page makes the call wait, and is not a note of its answer', async () => {
  pages = [MANY.slice(0, 1), MANY.slice(0, 2)];
  let asked = false;
  server.bridge.answer({
    'page.more': async () => {
      if (asked) return { grew: true, coverage: [] };
      throw new SpillwayError('approval_required', 'Input asks.', { questionId: 'b1:q_1' });
    },
    'question.wait': async () => {
      [asked, reads] = [true, 0];
      return { decision: null, end: 'gone' };
    },
  });
  const answer = await extract({ multiple: true, paginate: {} });
  expect(answer.json(), answer.notes).toEqual(RECORDS.slice(0, 2));
  expect(server.bridge.calls.at(-1)).toMatchObject({ method: 'page.navigate', params: { caller: {} } });
});

it.each([
  [{ schema: { properties: { a: { type: 'nmber' } } } }, 'schema_invalid', 'schema/properties/a/type'],
  [{ schema: { $ref: 'https://x.test/s' } }, 'schema_invalid', 'points outside the schema'],
  [{ multiple: true, paginate: {}, scroll: 'to_end' }, 'invalid_argument', 'paginate'],
  [{ tab: undefined, run: 'run_AAAAAAAAAAAA' }, 'run_not_found', 'run_AAAAAAAAAAAA'],
])('bad arguments touch no page %j: %s', async (args, code, named) => {
  const answer = await extract(args);
  expect(answer.code(), answer.text).toBe(code);
  expect(answer.text).toContain(named);
  expect(reads).toBe(0);
});

it('a date that may be day or month first is read as those of its field on later pages are', async () => {
  const dated = (name: string, at: string): FoundRecord => ({
    ...found(name, '$1'),
    fields: { name: field(name), at: field(at) },
  });
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, at: { type: 'string', format: 'date' } },
  };
  pages = [[dated('A', '2/5/2019')], [dated('B', '15/4/2019')]];
  server.bridge.answer({ 'page.more': async () => ({ grew: true, coverage: [] }) });
  const answer = await server.call('extract_data', { tab: 'b1:1', schema, multiple: true, paginate: {} });
  expect(answer.json()).toEqual([
    { name: 'A', at: '2019-05-02' },
    { name: 'B', at: '2019-04-15' },
  ]);
});
