import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../../server/core/result.ts';
import { LastAnswers } from '../../../server/feed/last-answers.ts';
import { vouch } from '../../../server/redact/mark.ts';

const MIB = 1024 * 1024;
const resultOf = (text: string, rest: Partial<ToolResult> = {}): ToolResult => ({
  ok: true,
  content: [{ type: 'text', text: vouch(text) }],
  state: {},
  ...rest,
});

describe('the last answers', () => {
  it('are kept by reference', () => {
    const answers = new LastAnswers();
    const result = resultOf('page');
    answers.keep('c1', result, 4);
    expect(answers.of('c1')?.content).toBe(result.content);
    expect(answers.of('c1')?.state).toBe(result.state);
    expect(answers.of('c2')).toBeNull();
  });

  it('are at most a hundred, and 8 MiB together, and none of them more than half a MiB', () => {
    const many = new LastAnswers();
    for (let n = 0; n < 150; n += 1) many.keep(`c${n}`, resultOf('x'), 1);
    expect(['c49', 'c50', 'c149'].map((id) => many.of(id) !== null)).toEqual([false, true, true]);
    const large = new LastAnswers();
    large.keep('too large', resultOf('x'), MIB / 2 + 1);
    for (let n = 0; n < 17; n += 1) large.keep(`c${n}`, resultOf('x'), MIB / 2);
    expect(['too large', 'c0', 'c1'].map((id) => large.of(id) !== null)).toEqual([false, false, true]);
  });

  it('an id that is used again has its last answer, and counts once', () => {
    const answers = new LastAnswers();
    for (let n = 0; n < 100; n += 1) answers.keep('again', resultOf(`${n}`), MIB / 2);
    answers.keep('other', resultOf('x'), MIB / 2);
    expect(answers.of('again')?.content).toEqual([{ type: 'text', text: '99' }]);
    answers.keep('again', resultOf('x'), MIB);
    expect(answers.of('again')).toBeNull();
  });

  it('a question is not an answer, and what other tools gave is not held', () => {
    const answers = new LastAnswers();
    const pending = { callId: 'c1', tool: 'interact', args: {}, interaction: {} };
    answers.keep('c1', resultOf('?', { pending }), 1);
    expect(answers.of('c1')).toBeNull();
    answers.keep('c2', resultOf('{}', { own: { a: 1 }, structured: { a: 1 }, meta: { b: 1 } }), 1);
    expect(answers.of('c2')).toEqual({ ok: true, content: [{ type: 'text', text: '{}' }], state: {} });
  });
});
