import { describe, expect, it } from 'vitest';
import { ResultsStore } from '../../../extension/panel/feed/results-store.ts';
import type { CallResult } from '../../../extension/panel/answers-protocol.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { ended } from './lines.ts';

const answerOf = (value: string): NonNullable<CallResult['answer']> => ({
  ok: true,
  value,
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
});

/** Servers that keep answers, by call. */
function answers(kept: Record<string, CallResult['answer'] | Error>) {
  const asked: string[] = [];
  const store = new ResultsStore(async ({ home, call }) => {
    asked.push(`${home}/${call}`);
    await Promise.resolve();
    const answer = kept[call];
    if (answer instanceof Error) throw answer;
    return { answer: answer ?? null };
  });
  return { store, asked, kept };
}

describe('what a call answered', () => {
  it('is read once, when it is looked at', async () => {
    const { store, asked } = answers({ c1: answerOf('tea') });
    const answer = store.of('home', 'c1');
    expect(answer.value).toBe('reading');
    await expect.poll(() => answer.value).toMatchObject({ ok: true, value: 'tea' });
    expect(store.of('home', 'c1')).toBe(answer);
    expect(asked).toEqual(['home/c1']);
  });

  it('has the members that faces take', async () => {
    const same = {
      ok: false,
      error: { code: 'timeout', message: 'Too late.', hint: null, body: { step: 2 } },
      state: { items: 2 },
      notes: ['One.'],
    } as const;
    const { store } = answers({
      c1: {
        ...same,
        notes: [...same.notes],
        picture: { mime_type: 'image/png', base64: 'aGk=' },
        stored: { handle: 'oh_A', mime_type: 'text/plain', size_bytes: 9, item_count: null, preview: 'tea' },
      },
    });
    await expect
      .poll(() => store.of('home', 'c1').value)
      .toEqual({
        ...same,
        value: undefined,
        picture: { mimeType: 'image/png', base64: 'aGk=' },
        stored: { handle: 'oh_A', mimeType: 'text/plain', sizeBytes: 9, itemCount: null, preview: 'tea' },
      });
  });

  it('is null where no server keeps it, and is read again when the call ends', async () => {
    const { store, kept } = answers({});
    const answer = store.of('home', 'c1');
    await expect.poll(() => answer.value).toBeNull();
    expect(store.failureOf('home', 'c1').value).toBeNull();
    kept['c1'] = answerOf('tea');
    store.take('other', [ended(1)]);
    store.take('home', [ended(2)]);
    expect(answer.value).toBeNull();
    store.take('home', [ended(1)]);
    await expect.poll(() => answer.value).toMatchObject({ value: 'tea' });
  });

  it('is asked for again where there was none, once other servers are there', async () => {
    const { store, kept, asked } = answers({ c2: answerOf('kept') });
    store.setHomes(['home']);
    const answer = store.of('home', 'c1');
    await expect.poll(() => store.of('home', 'c2').value).toMatchObject({ value: 'kept' });
    await expect.poll(() => answer.value).toBeNull();
    kept['c1'] = answerOf('tea');
    store.setHomes(['home']);
    store.setHomes(['home', 'other']);
    await expect.poll(() => answer.value).toMatchObject({ value: 'tea' });
    expect(asked).toEqual(['home/c1', 'home/c2', 'home/c1']);
  });

  it('that cannot be read says why, and is read again on request', async () => {
    const { store, kept } = answers({
      c1: new SpillwayError('api_not_found', 'That server is of an older build.'),
    });
    const answer = store.of('home', 'c1');
    await expect
      .poll(() => store.failureOf('home', 'c1').value)
      .toMatchObject({
        code: 'api_not_found',
        message: 'That server is of an older build.',
        hint: expect.any(String),
      });
    expect(answer.value).toBeNull();
    kept['c1'] = answerOf('tea');
    store.retry('home', 'c1');
    await expect.poll(() => answer.value).toMatchObject({ value: 'tea' });
    expect(store.failureOf('home', 'c1').value).toBeNull();
  });

  it('is forgotten when thirty others were looked at since', async () => {
    const { store, asked } = answers({ c0: answerOf('first') });
    const first = store.of('home', 'c0');
    for (let n = 1; n <= 29; n += 1) store.of('home', `c${n}`);
    expect(store.of('home', 'c0')).toBe(first);
    for (let n = 30; n <= 59; n += 1) store.of('home', `c${n}`);
    expect(store.of('home', 'c0')).not.toBe(first);
    expect(asked.filter((key) => key === 'home/c0')).toHaveLength(2);
  });
});
