import { vouch } from '../../support/clean.ts';
import { clean } from '../../../server/redact/clean.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { MIME } from '../../../shared/mime.ts';
import { OutputDescriptor } from '../../../shared/output/descriptor.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Outcome, CleanPayload } from '../../../server/core/payload.ts';
import { bytesPayload, itemsPayload, jsonPayload, produce, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { deliverOptions, filesBelow, setUp } from './support.ts';
import { expectOwnerOnly } from '../../support/posix.ts';

const textOf = (content: readonly { readonly type: string }[]): string => {
  const [first] = content;
  if (first === undefined || !('text' in first)) throw new Error('no text block');
  return String(first.text);
};

describe('inline', () => {
  const cases: readonly [string, () => CleanPayload, string][] = [
    ['text', () => textPayload(MIME.markdown, ['# Ti', 'tle\n']), '# Title\n'],
    ['empty text', () => textPayload(MIME.text, ''), ''],
    [
      'json',
      () => jsonPayload({ a: [1, { b: null, c: undefined }], d: 'é' }),
      '{"a":[1,{"b":null}],"d":"é"}',
    ],
    ['items', () => itemsPayload([{ a: 1 }, 'two', null]), '[\n{"a":1},\n"two",\nnull\n]'],
    ['no items', () => itemsPayload([]), '[]'],
  ];
  it.each(cases)('writes %s out', async (_name, payload, expected) => {
    const { policy, home } = await setUp();
    const delivered = await policy.deliver(produce(payload(), { a: 1 }), deliverOptions());
    expect(delivered.content).toEqual([{ type: 'text', text: expected }]);
    expect(delivered).toMatchObject({ outcome: { state: { a: 1 } } });
    expect(delivered.descriptor).toBeUndefined();
    expect(await filesBelow(home)).toEqual([]);
  });

  it('embeds bytes, and shows pictures', async () => {
    const { policy } = await setUp();
    const data = Buffer.from([0, 255, 1]);
    const archive = await policy.deliver(produce(bytesPayload(MIME.gzip, data)), deliverOptions());
    expect(archive.content).toEqual([
      { type: 'blob', data: 'AP8B', mimeType: 'application/gzip', uri: 'spillway://output/read_page' },
    ]);
    const picture = await policy.deliver(produce(bytesPayload(MIME.png, data)), deliverOptions());
    expect(picture.content).toEqual([{ type: 'image', data: 'AP8B', mimeType: 'image/png' }]);
  });

  it('answers a descriptor beyond what a string should hold, and says so', async () => {
    const { policy } = await setUp();
    const limit = LIMITS.outputInlineMaxBytes;
    const at = await policy.deliver(produce(textPayload(MIME.text, 'x'.repeat(limit))), deliverOptions());
    expect(at.descriptor).toBeUndefined();
    const over = await policy.deliver(
      produce(textPayload(MIME.text, 'x'.repeat(limit + 1))),
      deliverOptions(),
    );
    expect(over.descriptor?.size_bytes).toBe(limit + 1);
    expect(over.content[1]).toEqual({
      type: 'text',
      text: 'Larger than 16 MiB: stored instead of returned inline.',
    });
  });

  it('passes what was delivered to the notes, which go into a second block', async () => {
    const { policy } = await setUp();
    const notes = vi.fn((outcome: Outcome) => [
      ...outcome.coverage.map((note) => vouch(note)),
      clean`untrusted`,
    ]);
    const produced = produce(textPayload(MIME.text, 'x'), {}, ['a frame was closed']);
    const { content } = await policy.deliver(produced, deliverOptions({ notes }));
    expect(content[1]).toEqual({ type: 'text', text: 'a frame was closed\nuntrusted' });
    expect(notes.mock.calls.map((call) => call.slice(1))).toEqual([['inline']]);
  });
});

describe('handle', () => {
  it('stores, always, and answers exactly the descriptor', async () => {
    const { policy, home, journal } = await setUp();
    const items = Array.from({ length: 500 }, (_, index) => ({ index, text: 'é'.repeat(10) }));
    const { content, descriptor } = await policy.deliver(
      produce(itemsPayload(items)),
      deliverOptions({ mode: 'handle' }),
    );
    const parsed = OutputDescriptor.parse(JSON.parse(textOf(content)));
    expect(parsed).toEqual(descriptor);
    expect(Object.keys(JSON.parse(textOf(content)))).toEqual([
      'output_handle',
      'mime_type',
      'size_bytes',
      'item_count',
      'preview',
      'expires_at',
      'fetch_with',
    ]);
    const { output_handle: handle } = parsed;
    expect(parsed).toMatchObject({ item_count: 500, expires_at: '2026-05-20T12:34:56Z' });
    const folder = join(home, 'output', '2026-05-19');
    expect(await filesBelow(home)).toEqual(
      ['index', 'json', 'meta.json'].map((end) => `output/2026-05-19/${handle}.${end}`),
    );
    const stored = await readFile(join(folder, `${handle}.json`), 'utf8');
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

  it('keeps files and folders to their owner', async () => {
    const { home, keep } = await setUp();
    await keep(textPayload(MIME.markdown, 'x'));
    for (const file of await filesBelow(home)) await expectOwnerOnly(join(home, file));
    for (const folder of ['output', 'output/2026-05-19']) await expectOwnerOnly(join(home, folder));
  });

  it('says when the preview is the whole', async () => {
    const { policy } = await setUp();
    const short = await policy.deliver(
      produce(textPayload(MIME.text, 'all')),
      deliverOptions({ mode: 'handle' }),
    );
    expect(short.descriptor?.preview).toBe('all');
    expect(short.content[1]).toMatchObject({
      text: 'The preview is the complete output; no fetch is needed.',
    });
    const long = await policy.deliver(
      produce(textPayload(MIME.text, 'x'.repeat(2049))),
      deliverOptions({ mode: 'handle' }),
    );
    expect(long.descriptor?.preview).toBe('x'.repeat(2048));
    expect(long.content).toHaveLength(1);
  });
});

describe('auto', () => {
  const chunks = (sizeBytes: number): string[] => Array.from({ length: sizeBytes }, () => 'x');

  it('stays inline at the limit, and spills with the byte that crosses it', async () => {
    const { policy, fetch } = await setUp();
    const options = deliverOptions({ mode: 'auto', inlineLimitBytes: 100 });
    const at = await policy.deliver(produce(textPayload(MIME.text, chunks(100))), options);
    expect(textOf(at.content)).toBe('x'.repeat(100));
    const over = await policy.deliver(produce(textPayload(MIME.text, chunks(101))), options);
    expect(over.descriptor?.size_bytes).toBe(101);
    const page = await fetch({ output_handle: over.descriptor?.output_handle ?? '' });
    expect(page.content).toBe('x'.repeat(101));
  });

  it('spills for the closing bracket of items alone', async () => {
    const { policy } = await setUp();
    const size = '[\n1,\n2\n]'.length;
    const at = (inlineLimitBytes: number) =>
      policy.deliver(produce(itemsPayload([1, 2])), deliverOptions({ mode: 'auto', inlineLimitBytes }));
    expect((await at(size)).descriptor).toBeUndefined();
    expect((await at(size - 1)).descriptor?.size_bytes).toBe(size);
  });
});

it.each([
  ['a byte order mark', '\ufeffabc'],
  ['halves of a pair', 'a\ud800b\udc00c'],
  ['NUL', 'a\u0000b'],
])('inline and handle agree on %s', async (_name, text) => {
  const { policy, fetch, keep } = await setUp();
  for (const make of [() => textPayload(MIME.text, text), () => itemsPayload([text, { [text]: text }])]) {
    const inline = await policy.deliver(produce(make()), deliverOptions());
    const page = await fetch({ output_handle: await keep(make()), format: 'bytes' });
    expect(page.content).toBe(textOf(inline.content));
  }
});

describe('failure', () => {
  const broken = new SpillwayError('page_changed', 'The page navigated.');

  async function* breaksAfter(chunk: string): AsyncGenerator<string> {
    yield chunk;
    throw broken;
  }

  it.each(['inline', 'handle', 'auto'] as const)(
    'leaves nothing when the source throws (%s)',
    async (mode) => {
      const { policy, home, journal } = await setUp();
      const failed = policy.deliver(
        { payload: textPayload(MIME.text, breaksAfter('x'.repeat(100_000))), done: Promise.reject(broken) },
        deliverOptions({ mode }),
      );
      await expect(failed).rejects.toBe(broken);
      expect(await filesBelow(home)).toEqual([]);
      expect(journal).toEqual([]);
    },
  );

  it('ends at once on an abort, even while the source is silent, and tells the source', async () => {
    const { policy, home } = await setUp();
    const abort = new AbortController();
    const left = vi.fn();
    const chunks: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => {
        let sent = false;
        return {
          next: () => {
            if (sent) setImmediate(() => abort.abort(new SpillwayError('cancelled', 'The client left.')));
            const step = { done: false, value: 'x'.repeat(50_000) } as const;
            const answer = sent ? new Promise<never>(() => undefined) : Promise.resolve(step);
            sent = true;
            return answer;
          },
          return: () => {
            left();
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    };
    const produced = { payload: textPayload(MIME.text, chunks), done: new Promise<Outcome>(() => undefined) };
    const delivery = policy.deliver(produced, deliverOptions({ mode: 'handle', signal: abort.signal }));
    expect(await codeOf(delivery)).toBe('cancelled');
    expect(left).toHaveBeenCalledOnce();
    expect(await filesBelow(home)).toEqual([]);
  });
});
