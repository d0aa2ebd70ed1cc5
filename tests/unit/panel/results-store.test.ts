import { describe, expect, it } from 'vitest';
import { ResultsStore } from '../../../extension/panel/feed/results-store.ts';
import type { Answer } from '../../../extension/panel/feed-protocol.ts';

const answerOf = (value: string): NonNullable<Answer<'result'>['answer']> => ({
  ok: true,
  value,
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
});

/** Servers that keep answers, by call. */
function answers(kept: Record<string, Answer<'result'>['answer'] | Error>) {
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
});
