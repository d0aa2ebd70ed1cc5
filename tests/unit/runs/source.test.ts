import { expect, it } from 'vitest';
import { request, setUp, waiting } from './support.ts';

it('is kept redacted, for later readers of the run', async () => {
  const { runs, home } = await setUp();
  const secret = 's3cr3t-t0k3n-0f-a-us3r';
  const source = `https://example.org/?token=${secret}`;
  const { run_id } = await runs.start(request({}, { source }));
  await runs.wait(run_id, waiting());
  await runs.close();
  const { runs: later } = await setUp({ home });
  const kept = (await later.get(run_id)).source;
  expect(kept).toContain('https://example.org/');
  expect(kept).not.toContain(secret);
});
