import { nodeFileSystem } from '../../../server/core/output/checked-file.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { MIME } from '../../../shared/base/mime.ts';
import { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { DeliverOptions } from '../../../server/core/output/index.ts';
import type { CleanPayload } from '../../../server/core/result.ts';
import { itemsPayload, jsonPayload, produce, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { deliverOptions, filesBelow, setUp } from './support.ts';
import { expectOwnerOnly } from '../../support/posix.ts';

const textOf = (content: readonly { readonly type: string }[]): string => {
  const [first] = content;
  if (first === undefined || !('text' in first)) throw new Error('no text block');
  return String(first.text);
};

async function start() {
  const made = await setUp({ fs: nodeFileSystem });
  const deliver = (payload: CleanPayload, options: Partial<DeliverOptions> = {}) =>
    made.policy.deliver(produce(payload), deliverOptions(options));
  return { ...made, deliver };
}

const cases: readonly [string, () => CleanPayload, string][] = [
  ['text', () => textPayload(MIME.markdown, ['# Ti', 'tle\n']), '# Title\n'],
  ['empty text', () => textPayload(MIME.text, ''), ''],
  ['json', () => jsonPayload({ a: [1, { b: null, c: undefined }], d: 'é' }), '{"a":[1,{"b":null}],"d":"é"}'],
  ['items', () => itemsPayload([{ a: 1 }, 'two', null]), '[\n{"a":1},\n"two",\nnull\n]'],
  ['no items', () => itemsPayload([]), '[]'],
];
it.each(cases)('inline writes %s out', async (_name, payload, expected) => {
  const { policy, home } = await setUp();
  const { content, outcome, descriptor } = await policy.deliver(
    produce(payload(), { a: 1 }),
    deliverOptions(),
  );
  expect({ content, state: outcome.state, descriptor }).toEqual({
    content: [{ type: 'text', text: expected }],
    state: { a: 1 },
  });
  expect(await filesBelow(home)).toEqual([]);
});

it('handle stores, always, and answers exactly the descriptor, in files of their owner alone', async () => {
  const { deliver, home, journal } = await start();
  const items = Array.from({ length: 500 }, (_, index) => ({ index, text: 'é'.repeat(10) }));
  const { content, descriptor } = await deliver(itemsPayload(items), { mode: 'handle' });
  const shown: object = JSON.parse(textOf(content));
  const parsed = OutputDescriptor.parse(shown);
  expect(parsed).toEqual(descriptor);
  expect(Object.keys(shown).join(' ')).toBe(
    'output_handle mime_type size_bytes item_count preview expires_at fetch_with',
  );
  const { output_handle: handle } = parsed;
  expect(parsed).toMatchObject({ item_count: 500, expires_at: '2026-05-20T12:34:56Z' });
  const files = await filesBelow(home);
  const [payload = ''] = files;
  expect(payload).toMatch(new RegExp(`^output/\\d{4}-\\d\\d-\\d\\d/${handle}\\.json$`));
  expect(files).toEqual([payload, `${payload}.index`]);
  for (const path of ['output', 'home.db', ...files]) await expectOwnerOnly(join(home, path));
  const stored = await readFile(join(home, payload), 'utf8');
  expect(JSON.parse(stored)).toEqual(items);
  expect(stored.split('\n')).toHaveLength(502);
  expect(stored.startsWith(parsed.preview ?? '-')).toBe(true);
  expect(journal).toEqual([
    {
      event: 'output_handle_created',
      handle,
      source_tool: 'read_page',
      size_bytes: stored.length + 500 * 10,
      mime_type: 'application/json',
    },
  ]);
});

it('auto stays inline at the limit, and spills with the byte that crosses it, or with a closing bracket', async () => {
  const { deliver, fetch } = await start();
  const at = (payload: CleanPayload, inlineLimitBytes: number) =>
    deliver(payload, { mode: 'auto', inlineLimitBytes });
  const text = (sizeBytes: number) => textPayload(MIME.text, Array<string>(sizeBytes).fill('x'));
  expect(textOf((await at(text(100), 100)).content)).toBe('x'.repeat(100));
  const { descriptor } = await at(text(101), 100);
  expect(descriptor?.size_bytes).toBe(101);
  const page = await fetch({ output_handle: descriptor?.output_handle ?? '' });
  expect(page.content).toBe('x'.repeat(101));
  const size = '[\n1,\n2\n]'.length;
  expect((await at(itemsPayload([1, 2]), size)).descriptor).toBeUndefined();
  expect((await at(itemsPayload([1, 2]), size - 1)).descriptor?.size_bytes).toBe(size);
});

const broken = new SpillwayError('page_changed', 'The page navigated.');

async function* breaksAfter(chunk: string): AsyncGenerator<string> {
  yield chunk;
  throw broken;
}

it.each(['inline', 'handle', 'auto'] as const)(
  'failure leaves nothing when the source throws (%s)',
  async (mode) => {
    const { policy, home, journal } = await setUp();
    const failed = policy.deliver(
      produce(textPayload(MIME.text, breaksAfter('x'.repeat(100_000)))),
      deliverOptions({ mode }),
    );
    await expect(failed).rejects.toBe(broken);
    expect(await filesBelow(home)).toEqual([]);
    expect(journal).toEqual([]);
  },
);

it('failure ends at once on an abort, even while the source is silent, and tells the source', async () => {
  const { policy, home } = await setUp();
  const abort = new AbortController();
  const left = vi.fn();
  const first = Promise.resolve({ done: false, value: 'x'.repeat(50_000) } as const);
  const next = vi.fn(() => {
    setImmediate(() => abort.abort(new SpillwayError('cancelled', 'The client left.')));
    return new Promise<never>(() => undefined);
  });
  next.mockReturnValueOnce(first as never);
  const chunks: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next,
      return: () => {
        left();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const delivery = policy.deliver(
    produce(textPayload(MIME.text, chunks)),
    deliverOptions({ mode: 'handle', signal: abort.signal }),
  );
  expect(await codeOf(delivery)).toBe('cancelled');
  expect(left).toHaveBeenCalledOnce();
  expect(await filesBelow(home)).toEqual([]);
});
