import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { itDeep, rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

/** As in `docs/security.md`. */
const RESIDENT_MIB = 2_048;

const peakMib = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const code = (text: string) => ['script', { code: text }] as const;
type Call = readonly [tool: string, args: Record<string, unknown>];

/** Calls of any size, by name. `units` is the size of the text in each. */
const CALLS: Readonly<Record<string, (units: number) => Call>> = {
  throws: (units) => code(`throw new Error('x'.repeat(${units}))`),
  'throws a text': (units) => code(`throw 'x'.repeat(${units})`),
  'has a long name': (units) =>
    code(`throw Object.assign(new Error('a'), { name: 'x'.repeat(${units}), stack: 'y'.repeat(${units}) })`),
  'calls an unknown tool': (units) => code(`await tools['x'.repeat(${units})]({})`),
  logs: (units) => code(`for (let n = 0; n < 300; n++) log('x'.repeat(${units})); return 1`),
  emits: (units) => code(`for (let n = 0; n < 20; n++) emit('x'.repeat(${units})); return 1`),
  'emits many': (units) => code(`for (let n = 0; n < ${Math.ceil(units / 100)}; n++) emit(n); return 1`),
  returns: (units) => code(`return 'x'.repeat(${units})`),
  'returns a list': (units) => code(`return Array(${Math.ceil(units / 4)}).fill(1)`),
  'holds arguments': (units) =>
    code(
      `return (await Promise.allSettled(Array.from({ length: 20 }, () => tools.run_status({ run_id: 'x'.repeat(${units}) })))).length`,
    ),
  'lists in a program': () =>
    code('return (await Promise.allSettled(Array.from({ length: 200 }, () => tools.run_list({})))).length'),
  waits: (units) => ['script', { code: 'await sleep(200); return 1', input: 'x'.repeat(units), async: true }],
  'has a secret': (units) => [
    'script',
    { code: 'throw new Error(1)', input: { password: 'x'.repeat(units) }, async: true },
  ],
  'names a tool': (units) => ['x'.repeat(units), {}],
  'names a run': (units) => ['run_status', { run_id: 'x'.repeat(units) }],
  lists: () => ['run_list', { count: 100 }],
};

const mix = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(CALLS)),
    units: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 4_000_000 })),
    times: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 4, maxLength: 10 },
);

const answers = (server: StdioServer, calls: readonly Call[]) =>
  Promise.all(calls.map(([tool, args]) => server.call(tool, args)));

it('answers any mix of calls of any size in a bounded memory, and is small in what it keeps', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  await fc.assert(
    fc.asyncProperty(mix, async (entries) => {
      const calls = entries.flatMap(({ name, units, times }) =>
        Array.from({ length: times }, () => CALLS[name]?.(units) ?? (['run_list', {}] as const)),
      );
      for (const answer of await answers(server, calls))
        if (answer.isError) expect(answer.code()).not.toBe('internal_error');
      const [list] = await answers(server, [['run_list', { count: 100 }]]);
      expect(list?.text.length).toBeLessThan(300_000);
      expect(peakMib(server.pid)).toBeLessThan(RESIDENT_MIB);
    }),
    { numRuns: rounds(6, 1) },
  );
}, 600_000);

itDeep('answers many open calls after a program threw a message of megabytes', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  await answers(server, [code(`throw new Error('x'.repeat(5_000_000))`)]);
  const [first] = await answers(server, [['run_list', {}]]);
  const { run_id } = first?.json<{ runs: { run_id: string }[] }>().runs[0] ?? {};
  const all = await answers(
    server,
    Array.from({ length: 1_500 }, (_, at): Call =>
      at % 2 === 0 ? ['run_list', {}] : ['run_status', { run_id }],
    ),
  );
  for (const answer of all) {
    expect(answer.isError).toBe(false);
    expect(answer.text.length).toBeLessThan(5_000);
  }
  expect(peakMib(server.pid)).toBeLessThan(512);
});
