import { expect, it } from 'vitest';
import type { ToolResult } from '../../../server/core/result.ts';
import { describeAnswer, fitAnswer } from '../../../server/activity/answers.ts';
import { LastAnswers, type KeptAnswer } from '../../../server/activity/ring.ts';
import { fence } from '../../../server/core/calls/results.ts';
import { vouch } from '../../../server/libraries/redaction/mark.ts';
import { LIMITS } from '../../../shared/base/limits.ts';

type Content = KeptAnswer['content'];
const text = (value: string): Content[number] => ({ type: 'text', text: vouch(value) });
const of = (content: Content, rest: Partial<KeptAnswer> = {}) =>
  describeAnswer({ ok: true, content, state: {}, ...rest });

it('an answer as people see it is JSON where the tool answers JSON, else text, with its notes apart', () => {
  expect(of([text('{"a":[1]}')], { kind: 'json' }).value).toEqual({ a: [1] });
  expect(of([text('[{"a":1}]')], { kind: 'items' }).value).toEqual([{ a: 1 }]);
  expect(of([text('{"a":[1]}')], { kind: 'text' }).value).toBe('{"a":[1]}');
  const noted = of([text('123'), text('One.\nTwo.'), text('Three.')]);
  expect(noted).toMatchObject({ value: '123', notes: ['One.', 'Two.', 'Three.'] });
});

it('an answer as people see it is the page text alone where there are fences around it, and no page can forge one', () => {
  const [page, note] = [text('page'), text('A note.')];
  expect(of(fence([page], [note]), { kind: 'text' })).toMatchObject({ value: 'page', notes: ['A note.'] });
  const mark = `«untrusted ${'0'.repeat(32)}» page content`;
  expect(of([text(mark), note], { kind: 'text' }).value).toBe(mark);
});

it.each([
  ['a value', of([text('"'.repeat(400_000))], { kind: 'text' })],
  ['a state', of([text('ok')], { kind: 'text', state: vouch({ log: 'é'.repeat(300_000) }) })],
])('an answer as people see it fits in a frame, and says what was left out: %s', (_what, answer) => {
  const shown = fitAnswer(answer);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(LIMITS.bridgeFrameBytes - 4_096);
  expect(shown.notes[0]).toContain('too large');
});

const MIB = 1024 * 1024;
const resultOf = (text: string, rest: Partial<ToolResult> = {}): ToolResult => ({
  ok: true,
  content: [{ type: 'text', text: vouch(text) }],
  state: {},
  ...rest,
});

it('the last answers are at most a hundred, and 8 MiB together, and none of them more than half a MiB', () => {
  const many = new LastAnswers();
  for (let n = 0; n < 150; n += 1) many.keep(`c${n}`, resultOf('x'), 1);
  expect(['c49', 'c50', 'c149'].map((id) => many.of(id) !== null)).toEqual([false, true, true]);
  const large = new LastAnswers();
  large.keep('too large', resultOf('x'), MIB / 2 + 1);
  for (let n = 0; n < 17; n += 1) large.keep(`c${n}`, resultOf('x'), MIB / 2);
  expect(['too large', 'c0', 'c1'].map((id) => large.of(id) !== null)).toEqual([false, false, true]);
});

it('the last answers a text that a mode made of an object is that object for people', () => {
  const answers = new LastAnswers();
  const shown = { recipes: [{ name: 'buy_flour' }], total: 1 };
  answers.keep(
    'c1',
    resultOf('1 found. recipe_get shows one whole.', { kind: 'text', shown: shown as never }),
    1,
  );
  const kept = answers.of('c1');
  expect(kept === null ? null : describeAnswer(kept).value).toEqual(shown);
});
