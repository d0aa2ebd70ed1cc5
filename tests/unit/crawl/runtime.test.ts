import { clean } from '../../../server/redact/clean.ts';
import { expect, test } from 'vitest';
import { callContext, TEST_SCOPE } from '../../support/session.ts';
import { systemClock } from '../../../server/core/services.ts';
import type { RunStart, Runs, RunView } from '../../../server/core/runs.ts';
import { createCrawl } from '../../../server/tools/crawl/runtime.ts';
import { CrawlArgs } from '../../../server/tools/crawl/address.ts';
import { createWorker } from '../../../server/tools/crawl/work.ts';
import { CrawlInput } from '../../../shared/tools/crawl/manifest.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';

const RUN = clean`run_AAAAAAAAAAAA`;

function setUp({ browsers = 1, tool = 'crawl' } = {}) {
  const bridge = new FakeBridge();
  for (let at = 0; at < browsers; at += 1) bridge.addBrowser();
  const started: RunStart[] = [];
  const resumed: string[] = [];
  const progress = { done: 0, queued: 0, failed: 0, rate_per_second: 0 };
  const view: Partial<RunView> = { run_id: RUN, status: 'running', tool: 'crawl', progress, error: null };
  const runs: Partial<Runs> = {
    start: async (request) => (started.push(request), view as RunView),
    resume: async (runId) => (resumed.push(runId), view as RunView),
    args: () => Promise.resolve({ tool, args: started[0]?.args ?? { url: 'http://site.test/' } }),
  };
  const crawl = createCrawl({ bridge, runs: runs as Runs, queue: null });
  const call = (given: object) =>
    crawl(CrawlInput.parse({ async: true, ...given }), callContext({ givenNames: Object.keys(given) }));
  return { call, started, resumed };
}

test.each([
  [{}, 'invalid_argument', 'none was given'],
  [{ url: 'a.test', urls: ['b.test'] }, 'invalid_argument', 'url and urls were given'],
  [{ urls: ['a.test', 'no address'] }, 'invalid_argument', 'urls[1]: "no address"'],
  [{ sitemap: 'file:///etc/passwd' }, 'url_not_allowed', 'sitemap: file:'],
  [{ url: 'https://a:b@site.test/' }, 'invalid_argument', 'sign in with the browser'],
  [{ url: 'https://a@site.test/' }, 'invalid_argument', 'sign in with the browser'],
])('the start %j is refused: %s', async (given, code, message) => {
  const { call, started } = setUp();
  await expect(call(given)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  expect(started).toEqual([]);
});

test('resume continues a crawl, and nothing else', async () => {
  const { call, resumed } = setUp();
  await call({ resume: RUN });
  expect(resumed).toEqual([RUN]);
  await expect(call({ resume: RUN, max_pages: 50 })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('max_pages: resume keeps the options'),
  });
  expect(resumed).toEqual([RUN]);
  await expect(setUp({ tool: 'extract_data' }).call({ resume: RUN })).rejects.toBeInstanceOf(SpillwayError);
});

test('a crawl on workers begins when the rules of the connected browsers allow it, if there are any', async () => {
  const bridge = new FakeBridge({
    'crawl.begin': () => Promise.reject(new SpillwayError('policy_denied', 'A rule denies it.')),
  });
  const queue = () => Promise.reject(new Error('Nothing is queued.'));
  const { admit } = createWorker({ bridge, clock: systemClock, queue });
  const begin = () =>
    admit?.(
      { ...CrawlArgs.parse({ url: 'http://site.test/', instance: null }) },
      { call: TEST_SCOPE, signal: AbortSignal.timeout(60_000) },
    );
  await begin();
  bridge.addBrowser();
  await expect(begin()).rejects.toMatchObject({ code: 'policy_denied' });
});
