import { expect, it } from 'vitest';
import { ChosenFiles } from '../../../extension/people/worker/chosen-files.ts';
import { LIMITS } from '../../../shared/base/limits.ts';

const part = (more: object) =>
  ({ type: 'choose', question: 'q_1', token: 't', step: 0, file: 0, data: 'YWJj', ...more }) as const;
const first = (more: object = {}) => part({ name: 'a.txt', mime: 'text/plain', ...more });

it('the files of a card are taken once, by the grant of its question', () => {
  const chosen = new ChosenFiles();
  chosen.add(first());
  chosen.add(part({ data: 'ZGVm' }));
  chosen.add(first({ step: 2, file: 1, name: 'b.txt', data: '' }));
  expect(chosen.take('g_2')).toEqual([]);
  expect(chosen.take('g_1')).toEqual([
    { step: 0, name: 'a.txt', mime: 'text/plain', chunks: ['YWJj', 'ZGVm'] },
    { step: 2, name: 'b.txt', mime: 'text/plain', chunks: [''] },
  ]);
  expect(chosen.take('g_1')).toEqual([]);
});

it('a second attempt takes the place of the first, and parts without a beginning are dropped', () => {
  const chosen = new ChosenFiles();
  chosen.add(part({}));
  expect(chosen.take('g_1')).toEqual([]);
  chosen.add(first());
  chosen.add(first({ name: 'c.txt' }));
  expect(chosen.take('g_1').map(({ name }) => name)).toEqual(['c.txt']);
});

it('more than a call may upload is dropped, and so are the files of earlier cards', () => {
  const chosen = new ChosenFiles();
  chosen.add(first({ data: 'A'.repeat(4 * Math.ceil((LIMITS.uploadBytes + 1) / 3)) }));
  expect(chosen.take('g_1')).toEqual([]);
  for (const question of ['q_1', 'q_2', 'q_3']) chosen.add(first({ question }));
  expect(['g_1', 'g_2', 'g_3'].map((grant) => chosen.take(grant).length)).toEqual([0, 1, 1]);
});
