import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SERVER } from '../../../scripts/lib/server-process.ts';
import { itDeep, rounds } from '../../support/depth.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { testFolder } from '../../support/test-folder.ts';

/* Programs whose server is killed: each act happens once, and no record is lost. */

const MARKS = fileURLToPath(new URL('../../support/marks-server.mjs', import.meta.url));
const ACTS = 12;
/** A sleep of `ms` is in the middle: a long one is parked. */
const program = (ms: number) => `
  const seen = [];
  let colour = null;
  for (let n = 0; n < ${ACTS}; n += 1) {
    await tools.marks_mark({ value: input + ' mark ' + n });
    emit({ n, chance: random() });
    if (n % 4 === 1) seen.push(await tools.marks_count({}));
    if (n === 6) await sleep(${ms});
    if (n === 8) colour = (await ask({ type: 'text', message: 'Which colour?' })).answer;
  }
  await map([1, 2, 3, 4], (n) => tools.marks_mark({ value: input + ' mapped ' + n }), { limit: 2 });
  emit({ seen, colour });`;

interface Ended {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
}

const SHORT_SLEEP_MS = 30;
const PARKED_SLEEP_MS = 62_000;
/** A run that does not end within this many kills is stuck. */
const KILLS_MAX = 400;

/** Those of one run, such as `50-100`: a deep run has all of them. */
const [FIRST = 0, END = rounds(200, 1)] = (process.env['SPILLWAY_ROUNDS'] ?? '')
  .split('-')
  .filter(Boolean)
  .map(Number);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it(
  'a server that is killed at any moment loses nothing and does nothing twice',
  { timeout: 7_200_000 },
  async () => {
    const { home, marks } = makeHome(testFolder());
    let server = await startServer({ home });
    let killed = 0;
    for (let round = FIRST; round < END; round += 1) {
      const before = marks().length;
      const code = program(round % 100 === 10 ? PARKED_SLEEP_MS : SHORT_SLEEP_MS);
      const started = await server.call('script', { code, input: round, async: true });
      const { run_id: id } = started.json<{ run_id: string }>();
      const answer = (): void => {
        execFileSync(process.execPath, [SERVER, 'run', 'answer', id, 'blue', '--home', home]);
      };
      // In every second round the person is faster than the question.
      let isAnswered = round % 2 === 1;
      if (isAnswered) await untilBegun(server, id).then(answer);
      let kills = 0;
      for (;;) {
        // After a number of acts, not after a time: a busy machine has no more kills than another.
        const enough = marks().length + ((round * 7 + kills * 5) % 6);
        let now = await statusOf(server, id);
        while (/queued|running/.test(now.status) && marks().length < enough) now = await statusOf(server, id);
        await sleep((round * 37 + kills * 61) % 40);
        expect(kills, JSON.stringify(now)).toBeLessThan(KILLS_MAX);
        if (now.status === 'completed') break;
        if (now.status === 'failed') {
          expect(now.error?.code, now.error?.message).toBe('outcome_unknown');
          await decide(server, id, marks());
          continue;
        }
        if (now.error?.code === 'workflow_waits' && !isAnswered) {
          answer();
          isAnswered = true;
        }
        process.kill(server.pid, 'SIGKILL');
        await server.close().catch(() => undefined);
        kills += 1;
        server = await startServer({ home });
        await resume(server, id);
      }
      const items = await server.call('run_output', { run_id: id });
      const { content } = items.json<{
        content: { n?: number; chance?: number; seen?: string[]; colour?: string }[];
      }>();
      const expected = [
        ...Array.from({ length: ACTS }, (_, n) => `${round} mark ${n}`),
        ...[1, 2, 3, 4].map((n) => `${round} mapped ${n}`),
      ];
      expect(marks().slice(before).sort()).toEqual(expected.sort());
      expect(content.slice(0, -1).map(({ n }) => n)).toEqual(Array.from({ length: ACTS }, (_, n) => n));
      expect(new Set(content.map(({ chance }) => chance)).size).toBe(ACTS + 1);
      const seen = [2, 6, 10].map((count) => String(before + count));
      expect(content.at(-1)).toMatchObject({ seen, colour: 'blue' });
      killed += kills;
    }
    expect(killed).toBeGreaterThanOrEqual(END - FIRST);
  },
);

itDeep('a call with an unknown outcome can be cancelled, and decided about later', async () => {
  const { home, marks } = makeHome(testFolder());
  const first = await startServer({ home });
  const code = `await tools.marks_mark({ value: 'first' }); return tools.marks_hold({ value: 'held' });`;
  const { run_id: id } = (await first.call('script', { code, async: true })).json<{ run_id: string }>();
  await expect.poll(marks).toEqual(['first', 'held']);
  process.kill(first.pid, 'SIGKILL');
  await first.close().catch(() => undefined);
  const server = await startServer({ home });
  const stops = async (): Promise<void> => {
    await resume(server, id);
    const status = () => statusOf(server, id);
    await expect.poll(status).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' } });
  };
  await stops();
  await server.call('run_cancel', { run_id: id });
  expect((await statusOf(server, id)).status).toBe('cancelled');
  await stops();
  const answer = await server.call('run_resume', { run_id: id, outcome: 'skip', result: { by: 'hand' } });
  expect(answer.json()).toEqual({ by: 'hand' });
  expect(marks()).toEqual(['first', 'held']);
});

/** A home with an upstream whose acts are lines of a file. */
function makeHome(folder: string): { readonly home: string; readonly marks: () => string[] } {
  const home = join(folder, 'home');
  const file = join(folder, 'marks');
  mkdirSync(home, { mode: 0o700 });
  const upstreams = [{ id: 'marks', command: process.execPath, args: [MARKS, file] }];
  writeFileSync(join(home, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
  execFileSync(process.execPath, [SERVER, 'upstream', 'accept', 'marks', '--yes', '--home', home]);
  return { home, marks: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []) };
}

const statusOf = async (server: StdioServer, id: string): Promise<Ended> =>
  (await server.call('run_status', { run_id: id })).json<Ended>();

/** Its record is there, so that an answer has a place. */
async function untilBegun(server: StdioServer, id: string): Promise<void> {
  const total = async () => (await server.call('run_output', { run_id: id })).json<{ total: number }>().total;
  await expect.poll(total).toBeGreaterThan(0);
}

const resume = async (server: StdioServer, id: string, more: object = {}): Promise<void> => {
  const answer = await server.call('run_resume', { run_id: id, async: true, ...more });
  // It may have ended just before its server was killed.
  if (answer.code() !== 'run_not_resumable') expect(answer.isError, answer.text).toBe(false);
};

/** An agent that gets an unknown outcome looks, and reports whether it was done. */
async function decide(server: StdioServer, id: string, marks: readonly string[]): Promise<void> {
  const { error } = await statusOf(server, id);
  const wanted = /"value":"([^"]+)"/.exec(error?.message ?? '')?.[1] ?? '';
  await resume(server, id, { outcome: marks.includes(wanted) ? 'skip' : 'retry' });
}
