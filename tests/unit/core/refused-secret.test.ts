import { expect, it } from 'vitest';
import { cancelledBy } from '../../../server/core/calls/call.ts';
import { echo } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

it('redacts the failure of a call whose services did not load', async () => {
  const { executor, call } = testExecutor(echo, {
    servicesFailure: new Error(`cannot open https://example.org/?access_token=${SECRET}`),
  });
  const result = await executor.execute(call());
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

it('journals no beginning of a secret that the cut of a long argument went through', async () => {
  const { executor, call, journal } = testExecutor(echo);
  await executor.execute(call({ args: { value: `https://example.com/${'x'.repeat(150)}/${SECRET}` } }));
  expect(JSON.stringify(journal)).toContain('https://example.com/xxx');
  expect(JSON.stringify(journal)).not.toContain(SECRET.slice(0, 8));
});

it('redacts the refusal of a call that does not reach the pipeline', () => {
  const { executor } = testExecutor(echo);
  expect(JSON.stringify(executor.refusal(cancelledBy(`a client with ${SECRET}`)))).not.toContain(SECRET);
});
