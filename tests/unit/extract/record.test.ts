import { expect, test } from 'vitest';
import { planJob } from '../../../server/tools/extract_data/job.ts';

test('an object of which nothing could be read is null, with a problem for what was found', async () => {
  const rating = { type: 'object', properties: { value: { type: 'number' }, count: { type: 'integer' } } };
  const { finish } = planJob({ schema: { properties: { rating } }, multiple: true, explain: false });
  const fields = {
    rating: { value: { value: 'good' }, strategy: 'repeated', selector: 'p', confidence: 1 },
  } as const;
  const { record, problems } = await finish({ strategy: 'repeated', where: 'li', lang: null, fields });
  expect(record).toEqual({ rating: null });
  expect(problems).toMatchObject([{ field: 'rating/value', problem: 'invalid' }]);
});
