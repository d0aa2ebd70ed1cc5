import { expect, it } from 'vitest';
import { createQueryThreads } from '../../../server/outputs/query/thread.ts';
import { itemsPayload } from '../../support/payloads.ts';
import { testFolder } from '../../support/test-folder.ts';
import { setUp } from './support.ts';

const { keep, store } = await setUp({ home: testFolder() });
const queries = createQueryThreads(store, 32_768);
const handle = await keep(itemsPayload([{ a: 1 }, { a: 2 }]));
const other = await keep(itemsPayload([{ a: 2 }, { a: 3 }]));
const ask = (question: object, signal = new AbortController().signal) =>
  queries.query({ output_handle: handle, offset: 0, limit: 50, ...question }, signal);

it('a thread answers several questions, one of two outputs, and passes on why it refuses one', async () => {
  expect((await ask({ where: 'a > `1`' })).page.content).toEqual([{ a: 2 }]);
  expect((await ask({ diff: other })).page.content).toEqual([
    { change: 'added', index: 1, item: { a: 3 } },
    { change: 'removed', index: 0, item: { a: 1 } },
  ]);
  await expect(ask({ jmespath: '[' })).rejects.toMatchObject({
    code: 'invalid_argument',
    hint: expect.stringContaining('JMESPath') as string,
  });
  expect((await ask({ stats: true })).page.total).toBe(1);
});

it('a question that is cancelled ends its thread, and the next one is answered', async () => {
  const cancelled = new AbortController();
  const asked = Promise.all([1, 2, 3].map(() => ask({ stats: true }, cancelled.signal)));
  cancelled.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  expect((await ask({ schema: true })).page.total).toBe(1);
});
