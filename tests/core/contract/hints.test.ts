import { sample } from '../../support/depth.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { fitNames, toolsNamedIn } from '../../../server/core/calls/results.ts';
import type { ToolRegistry } from '../../../server/core/registry/registry.ts';
import type { UpstreamOffers } from '../../../server/core/upstreams.ts';
import { openSession } from '../../../server/library/session.ts';
import { MODE_NAMES } from '../../../server/core/modes/names.generated.ts';
import { ERRORS, SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { RUN_WORKERS } from '../../../server/core/runtimes.generated.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testOffers } from '../../support/offers.ts';
import { createSession } from '../../support/session.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Every name in a hint is listed, or the hint begins with how to list it. */
function expectCallable(hint: string, listed: readonly string[], of: string, registry: ToolRegistry): void {
  expect(hint, of).toMatch(/\w.*[.?]$/s);
  const selected = /^Call find_tools with select (?<names>\[.*?\])/.exec(hint)?.groups?.['names'];
  const callable = [...listed, ...(JSON.parse(selected ?? '[]') as string[])];
  expect(callable, `${of}: ${hint}`).toEqual(expect.arrayContaining([...toolsNamedIn(hint, registry)]));
}

const HintOf = z.object({ error: z.object({ hint: z.string() }) });

it.each(
  sample(
    MODE_NAMES.flatMap((mode) => ['mcp', 'library'].map((adapter) => [mode, adapter] as const)),
    2,
  ),
)('a hint of any error in mode %s names over %s only tools that its session lists', async (mode, adapter) => {
  let code: ErrorCode = 'timeout';
  const gate: Gate = { check: () => Promise.reject(new SpillwayError(code, 'No.')) };
  const server = await startMemoryServer({ mode }, { gate });
  const { registry } = server.executor;
  const library = openSession({ executor: server.executor });
  const fail = async (): Promise<string> =>
    adapter === 'mcp'
      ? (await server.call('tabs')).json<z.infer<typeof HintOf>>().error.hint
      : ((await library.call('tabs')).error?.hint ?? '');
  const { tools } = await server.client.listTools();
  const listed = adapter === 'mcp' ? tools.map(({ name }) => name) : library.list().map(({ name }) => name);
  for (code of CODES) expectCallable(await fail(), listed, code, registry);
});

it('a hint of a failed run fits who asks, as a resource and by tools', async () => {
  let code: ErrorCode = 'timeout';
  // Only a hint that differs from its code's is stored.
  const crawl = {
    run: () =>
      Promise.reject(new SpillwayError(code, 'No.', { hint: `${ERRORS[code].hint} Or call crawl.` })),
  };
  const workers = { ...RUN_WORKERS, crawl: () => Promise.resolve(crawl) };
  const server = await startMemoryServer({}, { workers });
  server.bridge.addBrowser({});
  const { registry } = server.executor;
  const runs = await server.runs();
  const listed = (await server.client.listTools()).tools.map(({ name }) => name);
  for (code of sample(
    CODES.filter((each) => each !== 'workflow_waits'),
    6,
  )) {
    const { run_id } = await runs.start({
      tool: 'crawl',
      args: {},
      source: 'https://a.test/',
      session: createSession('s'),
      output: { mode: 'inline', inlineLimitBytes: 1_000 },
    });
    const { signal } = new AbortController();
    await runs.wait(run_id, { timeoutMs: 60_000, signal, progress: () => undefined });
    const { contents } = await server.client.readResource({ uri: `spillway://run/${run_id}` });
    const { text } = z.object({ text: z.string() }).parse(contents[0]);
    expectCallable(HintOf.parse(JSON.parse(text)).error.hint, listed, code, registry);
    const list = (await server.call('run_list', { count: 1 })).json<{ runs: unknown[] }>();
    expectCallable(HintOf.parse(list.runs[0]).error.hint, listed, code, registry);
  }
});

it('a hint of any error fits who reads a resource', async () => {
  let code: ErrorCode = 'timeout';
  const read: UpstreamOffers['read'] = () => Promise.reject(new SpillwayError(code, 'No.'));
  const server = await startMemoryServer({}, { offers: testOffers({ read }) });
  const client = await server.connect(['tabs']);
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  for (code of CODES) {
    const refused = await client
      .readResource({ uri: 'upstream://notes/1' })
      .catch((thrown: unknown) => thrown);
    const { hint } = z.object({ data: HintOf }).parse(refused).data.error;
    expectCallable(hint, listed, code, server.executor.registry);
  }
});

it.each([
  ['Call here with it.', 'Call here with it.'],
  ['It is a file; call gone with its url.', 'It is a file.'],
  ['Call gone, or call here for a list.', 'Call here for a list.'],
  ['Wait. Call gone. Or load it with here: it is new.', 'Wait. Or load it with here: it is new.'],
  ['Call here, or go_on with it. It is kept; ask.', 'Call here. It is kept; ask.'],
  ['Call go_on.', ''],
  ['Pass go_on to read it.', 'Pass go_on to read it.'],
  ['None of http://a.test/?q=go_on is new.', 'None of http://a.test/?q=go_on is new.'],
  ['The gone of a page is not a tool.', 'The gone of a page is not a tool.'],
])('a hint %j is %j where a session has one of its tools', (hint, fitted) => {
  const session = createSession('s');
  const registry = { has: (name: string) => ['here', 'gone', 'go_on'].includes(name) };
  expect(fitNames(hint, { tool: 'here', session }, registry)).toBe(fitted);
});
