import { expect, it } from 'vitest';
import { createRedactor } from '../../../server/redact/index.ts';
import { createExpiry } from '../../../server/machine/expiry.ts';
import { Claimant } from '../../../server/runs/claim.ts';
import { RunFolders } from '../../../server/runs/folders.ts';
import { EMPTY_TALLY } from '../../../server/runs/records.ts';
import { beginLife } from '../../../server/runs/workshop.ts';
import { temporaryHome } from '../../support/home.ts';
import { FakeClock, request, setUp, waiting } from './support.ts';

it('is kept redacted, for whoever reads the run later', async () => {
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

it('is the tool of a run that an earlier version has kept', async () => {
  const home = await temporaryHome();
  const folders = new RunFolders(home);
  const claimant = new Claimant(folders.root);
  const lease = await folders.create((transaction, runId) => {
    transaction.facts({
      version: 1,
      run_id: runId,
      tool: 'crawl',
      args: createRedactor({ enabled: true }).value({ url: 'https://example.org/' }),
      is_redacted: false,
      session: 'session',
      output_mode: 'inline',
      output_inline_limit_bytes: 1_000,
      started_at_ms: 0,
    });
    transaction.life(claimant.own(beginLife(createExpiry(new FakeClock(), 1_000_000, 'test'))));
    transaction.tally(EMPTY_TALLY);
  });
  const { runId } = lease.run;
  lease.release();
  const { runs } = await setUp({ home });
  expect(await runs.get(runId)).toMatchObject({ tool: 'crawl', source: 'crawl' });
  expect((await runs.args(runId)).args).toEqual({ url: 'https://example.org/' });
});
