import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { parseEntry } from '../../../server/upstreams/index.ts';
import { PATIENCE } from '../../support/patience.ts';
import { isPidRunning } from '../../../server/core/machine/process-identity.ts';
import { FAULTS, keptLog, program, startWithUpstreams, startUpstreams } from '../../support/upstream-rig.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withUpstreams } from '../../../server/upstreams/command.ts';
import { endLeftovers } from '../../../server/upstreams/mcp/stdio.ts';
import { temporaryHome } from '../../support/home.ts';

const odd = program('odd', [FAULTS]);
const good = program('good', [FAULTS]);

describe('an upstream that', () => {
  it.each(sample(['dies', 'closes_its_output', 'floods'], 2))(
    '%s fails its own calls only, and is started again',
    async (how) => {
      const server = await startUpstreams([odd, good]);
      const dead = await server.call(`odd_${how}`);
      expect(dead.code()).toBe('upstream_error');
      expect(dead.text).toContain('upstream odd');
      expect((await server.call('good_echo', { value: 'a' })).text).toBe('a');
      await vi.waitFor(() => expect(server.upstreams.report()[0]?.state).toBe('ready'), PATIENCE);
      expect((await server.call('odd_echo', { value: 'b' })).text).toBe('b');
    },
  );

  const why = 'Set ODD_KEY, and start me again.';
  const script = `process.stderr.write(${JSON.stringify(`starting\n${why}\n`)}); process.exit(1)`;
  const homeless = { command: process.execPath, args: [FAULTS], cwd: '/no/such/folder' };
  it.each([
    ['cannot be started', { command: 'no-such-program-of-spillway' }, expect.stringContaining('ENOENT')],
    ['ends, by its last line on stderr,', { command: process.execPath, args: ['-e', script] }, why],
    ['has no folder', homeless, 'the folder /no/such/folder is not there'],
  ])('%s is named with the reason', async (_what, entry, problem) => {
    const { call, upstreams } = await startUpstreams([parseEntry({ id: 'none', ...entry }, 'none'), good]);
    expect(upstreams.report()[0]).toMatchObject({ state: 'failed', problem });
    expect((await call('none_x')).code()).toBe('upstream_error');
    expect((await call('find_tools', { select: ['none_x'] })).text).toContain('"upstream_error"');
    expect((await call('good_x')).code()).toBe('unknown_tool');
    expect((await call('oc_connection_health')).json<{ upstreams: object[] }>().upstreams).toEqual([
      { id: 'none', state: 'failed', tools: 0, problem },
      { id: 'good', state: 'ready', tools: expect.any(Number) },
    ]);
  });

  itDeep('hangs is a timeout of its own call, and is replaced', async () => {
    const { call } = await startUpstreams([program('odd', [FAULTS], { timeoutMs: 1_000 }), good]);
    // A busy machine may need more than the second of one call.
    const pid = () => vi.waitUntil(async () => Number((await call('odd_pid')).text), PATIENCE);
    const before = await pid();
    const [hung, fine] = await Promise.all([call('odd_hangs'), call('good_echo', { value: 'a' })]);
    expect(hung.code()).toBe('timeout');
    expect(hung.text).toMatch(/upstream odd.*"retryable":true/);
    expect(fine.text).toBe('a');
    await vi.waitFor(() => expect(isPidRunning(before)).toBe(false), PATIENCE);
    expect(await pid()).not.toBe(before);
  });

  it('is cancelled hears of it, and logs has its lines redacted and bounded', async () => {
    const log = keptLog();
    const { call } = await startUpstreams([odd], { logger: log });
    const logged = (pattern: RegExp): Promise<void> =>
      vi.waitFor(() => expect(log.lines.join('\n')).toMatch(pattern), PATIENCE);
    const cancelled = new AbortController();
    const waiting = call('odd_waits', {}, cancelled.signal);
    await call('odd_echo');
    cancelled.abort();
    await expect(waiting).rejects.toThrow();
    await logged(/"upstream":"odd"\} cancelled \d/);
    await call('odd_says', { value: 'api_key=sk-live-0123456789abcdef0123456789' });
    await logged(/«redacted:/);
    await call('odd_says', { value: 'z\n'.repeat(1_000) });
    await call('odd_says', { value: 'last' });
    expect(log.lines.join('\n')).not.toContain('sk-live-0123456789');
    expect(log.lines.filter((line) => line.endsWith(' z')).length).toBeLessThan(100);
  });

  it('runs has no secret of ours, and none of another', async () => {
    vi.stubEnv('SPILLWAY_TEST_TOKEN', 'ours');
    const { call } = await startUpstreams([
      program('one', [FAULTS], { env: { WORD: 'one-${SPILLWAY_TEST_TOKEN}' } }),
      program('two', [FAULTS], { env: { OTHER: 'two' } }),
    ]);
    vi.unstubAllEnvs();
    const [one, two] = await Promise.all(['one', 'two'].map((id) => call(`${id}_environment`)));
    expect(one?.text).toContain('one-ours');
    expect(one?.text).not.toContain('SPILLWAY_TEST_TOKEN');
    expect(two?.text).not.toContain('ours');
    expect(two?.text).toContain('"two"');
  });

  it.each(sample([[['stubborn']], [[]]], 2))('has children ends with us, with flags %j', async (flags) => {
    const { call, close } = await startWithUpstreams([program('odd', [FAULTS, ...flags])]);
    const pids = [await call('odd_pid'), await call('odd_has_child')].map(({ text }) => Number(text));
    expect(pids.map(isPidRunning)).toEqual([true, true]);
    await close();
    await vi.waitFor(() => expect(pids.map(isPidRunning)).toEqual([false, false]), PATIENCE);
  });
});

const HOLDER = fileURLToPath(new URL('../../support/upstream-holder.ts', import.meta.url));
const notesOf = (home: string): Promise<string[]> => readdir(join(home, 'upstreams')).catch(() => []);

/** Elsewhere the start of a process is unknown, so nothing is recorded. */
const isLinux = process.platform === 'linux';

it.runIf(isLinux)(
  'what a server that was killed has left is ended by the next one',
  { timeout: 180_000 },
  async () => {
    const home = await temporaryHome();
    const holder = spawn(process.execPath, ['--import', 'tsx', HOLDER, home], { stdio: 'ignore' });
    const often = { ...PATIENCE, timeout: 90_000 };
    await vi.waitFor(async () => expect(await notesOf(home)).toHaveLength(1), often);
    const [note = ''] = await notesOf(home);
    const pid = Number(note.split('-').at(-2));
    onTestFinished(() => void (isPidRunning(pid) && process.kill(pid, 'SIGKILL')));
    await endLeftovers(home);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(isPidRunning(pid)).toBe(true);
    await withUpstreams({ home, upstream: [`good=${process.execPath} ${FAULTS}`] }, async () => {
      await vi.waitFor(() => expect(isPidRunning(pid)).toBe(false), PATIENCE);
    });
    await vi.waitFor(async () => expect(await notesOf(home)).toEqual([]), PATIENCE);
  },
);
