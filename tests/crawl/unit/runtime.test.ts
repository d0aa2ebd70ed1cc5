import { clean, cleanRecord, type CleanText } from '../../../server/libraries/redaction/clean.ts';
import { expect, test } from 'vitest';
import { callContext, TEST_SCOPE } from '../../support/session.ts';
import { systemClock } from '../../../server/core/services.ts';
import type { RunScope, RunStart, Runs, RunView, RunWorker } from '../../../server/core/runs.ts';
import { emptyPage, type HopSource } from '../../../server/crawl/source.ts';
import { createCrawl } from '../../../server/crawl/crawl.runtime.ts';
import { CrawlArgs } from '../../../server/crawl/address.ts';
import { createWorker } from '../../../server/crawl/crawl.work.ts';
import { createWorker as createExtraction } from '../../../server/extract/extract_data.work.ts';
import type { ToolServices } from '../../../server/core/index.ts';
import { abortable } from '../../../shared/base/async.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { CrawlInput } from '../../../shared/crawl/crawl.manifest.ts';
import { SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { MemoryDisk, MemoryScope } from './memory-run.ts';

const RUN = clean`run_AAAAAAAAAAAA`;

function setUp({ tool = 'crawl', isPrivate = false } = {}) {
  const bridge = Object.assign(new FakeBridge(), { isPrivate });
  bridge.addBrowser();
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

test.each([
  [false, 'instance-b1'],
  [true, null],
])('a crawl stays in its profile, unless that is private: %j', async (isPrivate, instance) => {
  const { call, started } = setUp({ isPrivate });
  await call({ url: 'http://site.test/' });
  expect(started[0]?.args).toMatchObject({ instance });
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

const CRAWL = { ...CrawlArgs.parse({ url: 'http://site.test/', instance: null }) };
const crawled = (urls: readonly CleanText[]): Partial<Runs> => ({
  args: () => Promise.resolve({ tool: 'crawl', args: CRAWL }),
  result: async () => ({
    ...{ view: { items: urls.length } as RunView, outcome: { state: {}, coverage: [] } },
    redacted: { secrets: {}, invisibleCharacters: 0, instructionLike: 0 },
    async *items() {
      for (const url of urls) yield cleanRecord({ url, status: 200 });
    },
  }),
});
const found = crawled([clean`http://site.test/`]);
const DAYS = { type: 'object', properties: { day: { type: 'string', format: 'date' } } };
const EXTRACT = {
  ...{ schema: DAYS, multiple: true, explain: false, run: RUN, render: 'never', delay_ms: 0, instance: null },
};

test.each<[string, (parts: Pick<ToolServices, 'bridge' | 'runs' | 'queue'>) => RunWorker, JsonObject]>([
  ['crawl', (parts) => createWorker({ ...parts, clock: systemClock }), CRAWL],
  ['extract_data', createExtraction, EXTRACT],
])('%s on workers begins and continues as the connected browsers allow it', async (_name, create, args) => {
  const bridge = new FakeBridge();
  const answer = (code: ErrorCode) =>
    bridge.answer({ 'crawl.begin': () => Promise.reject(new SpillwayError(code, 'A person said so.')) });
  const { signal } = new AbortController();
  const hang = (aborted: AbortSignal) => abortable(new Promise<never>(() => undefined), aborted);
  const hops: HopSource = {
    hop: (_href, aborted) => hang(aborted),
    resource: (asked) => hang(asked.signal),
    release: () => Promise.resolve(),
  };
  const queue = async () => ({ hops: () => hops });
  const { admit, run } = create({ bridge, runs: found as Runs, queue });
  const begin = () => admit?.(args, { call: TEST_SCOPE, signal });
  await begin();
  bridge.addBrowser();
  for (const code of ['policy_denied', 'agent_stopped'] as const) {
    answer(code);
    await expect(begin()).rejects.toMatchObject({ code });
  }
  const memory = new MemoryScope(new MemoryDisk());
  const commit: RunScope['commit'] = (step) => memory.commit(step);
  const scope = { ...memory, commit, call: TEST_SCOPE, progress: () => undefined, log: () => undefined };
  await expect(run(args, scope)).rejects.toMatchObject({ code: 'agent_stopped' });
});

test('a date of a crawled page is read as those of later pages are, also by a run that continues', async () => {
  const days = new Map([
    ['a', '2/5/2019'],
    ['b', '15/4/2019'],
    ['c', '3/6/2019'],
  ]);
  const bridge = new FakeBridge();
  const hops: Partial<HopSource> = {
    hop: async (href) => {
      const value = days.get(href.slice(-1)) ?? '';
      const page = emptyPage(href, { code: '', message: '' });
      const field = { value, strategy: 'tables', selector: '', confidence: 1 };
      return {
        ...page,
        facts: { ...page.facts, error: null },
        found: [{ strategy: 'tables', where: '', lang: 'en', fields: { day: field } }],
      };
    },
    release: () => Promise.resolve(),
  };
  const queue = async () => ({
    hops: () => hops as HopSource,
    run: () => Promise.reject(new Error('Not a run.')),
  });
  const disk = new MemoryDisk();
  const extractFrom = async (urls: readonly CleanText[]): Promise<void> => {
    const memory = new MemoryScope(disk);
    const commit: RunScope['commit'] = (step) => memory.commit(step);
    const { redact } = memory;
    const scope = { ...memory, commit, redact, call: null, progress: () => undefined, log: () => undefined };
    await createExtraction({ bridge, runs: crawled(urls) as Runs, queue }).run(EXTRACT, scope);
  };
  const urls = [clean`http://site.test/a`, clean`http://site.test/b`];
  await extractFrom(urls);
  await extractFrom([...urls, clean`http://site.test/c`]);
  expect(disk.items).toMatchObject(
    ['2019-05-02', '2019-04-15', '2019-06-03'].map((day) => ({ record: { day } })),
  );
});
