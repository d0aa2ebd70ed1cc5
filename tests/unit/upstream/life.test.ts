import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseEntry, trustAll, type UpstreamEntry } from '../../../server/upstream/index.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { isPidRunning } from '../../../server/machine/process-identity.ts';
import { FAULTS, keptLog, program, startWithUpstreams } from '../../support/upstream-rig.ts';

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const start = async (entries: readonly UpstreamEntry[], ...rest: unknown[]): Promise<MemoryServer> =>
  (server = await startWithUpstreams(entries, ...(rest as [])));

const stateOf = (id: string) => server?.upstreams.report().find((each) => each.id === id);

describe('an upstream that', () => {
  it('dies fails its own calls only, and is started again', async () => {
    const { call } = await start([program('odd', [FAULTS]), program('good', [FAULTS])]);
    const dead = await call('odd_dies');
    expect(dead.code()).toBe('upstream_error');
    expect(dead.text).toContain('upstream odd');
    expect((await call('good_echo', { value: 'a' })).text).toBe('a');
    await vi.waitFor(() => expect(stateOf('odd')?.state).toBe('ready'), PATIENCE);
    expect((await call('odd_echo', { value: 'b' })).text).toBe('b');
  });

  it('cannot be started is named, with the next step', async () => {
    const missing = parseEntry({ id: 'none', command: 'no-such-program-of-spillway' }, 'none');
    const { call } = await start([missing, program('good', [FAULTS])]);
    expect(stateOf('none')).toMatchObject({ state: 'failed', problem: expect.stringContaining('ENOENT') });
    const health = (await call('oc_connection_health')).json<{ upstreams: object[] }>();
    expect(health.upstreams).toEqual([
      { id: 'none', state: 'failed', tools: 0, problem: expect.stringContaining('ENOENT') },
      { id: 'good', state: 'ready', tools: expect.any(Number) },
    ]);
  });

  it('refuses a call stays connected, also with codes that the SDK has for failures of its own', async () => {
    const { call } = await start([program('odd', [FAULTS])]);
    const { text: before } = await call('odd_pid');
    for (const code of [-32_000, -32_001, -32_603]) {
      const refused = await call('odd_refuses', { code });
      expect(refused.json()).toMatchObject({
        error: {
          code: 'upstream_error',
          message: `The upstream odd refused: MCP error ${code}: not today.`,
        },
      });
      expect((await call('odd_pid')).text).toBe(before);
    }
  });

  it('answers what is not MCP fails that call at once', async () => {
    const { call } = await start([program('odd', [FAULTS])]);
    const failed = await call('odd_refuses');
    expect(failed.code()).toBe('upstream_error');
    expect(failed.text).toContain('The upstream odd answered what MCP does not allow.');
    expect((await call('odd_echo', { value: 'a' })).text).toBe('a');
  });

  it('ends is named with the last line that it wrote on stderr', async () => {
    const why = 'Set ODD_KEY, and start me again.';
    const script = `process.stderr.write(${JSON.stringify(`starting\n${why}\n`)}); process.exit(1)`;
    const { call } = await start([program('odd', ['-e', script])]);
    expect(stateOf('odd')).toMatchObject({ state: 'failed', problem: why });
    const health = (await call('oc_connection_health')).json<{ upstreams: object[] }>();
    expect(health.upstreams).toEqual([{ id: 'odd', state: 'failed', tools: 0, problem: why }]);
  });

  it('ends right after its answer has answered', async () => {
    const { call } = await start([program('odd', [FAULTS])]);
    const value = 'x'.repeat(1_000_000);
    expect((await call('odd_says_goodbye', { value })).text).toBe(value);
  });

  it('closes its output is replaced', async () => {
    const { call } = await start([program('odd', [FAULTS])]);
    expect((await call('odd_closes_its_output')).code()).toBe('upstream_error');
    await vi.waitFor(() => expect(stateOf('odd')?.state).toBe('ready'), PATIENCE);
  });

  it('has a folder that is not there is named with it', async () => {
    await start([program('odd', [FAULTS], { cwd: '/no/such/folder' })]);
    expect(stateOf('odd')?.problem).toBe('the folder /no/such/folder is not there');
  });

  it('hangs is a timeout of its own call, and is replaced', async () => {
    const { call } = await start([program('odd', [FAULTS], { timeoutMs: 1_000 }), program('good', [FAULTS])]);
    const { text: before } = await call('odd_pid');
    const [hung, fine] = await Promise.all([call('odd_hangs'), call('good_echo', { value: 'a' })]);
    expect(hung.code()).toBe('timeout');
    expect(hung.text).toContain('upstream odd');
    expect(fine.text).toBe('a');
    await vi.waitFor(() => expect(isPidRunning(Number(before))).toBe(false), PATIENCE);
    await vi.waitFor(() => expect(stateOf('odd')?.state).toBe('ready'), PATIENCE);
    expect((await call('odd_pid')).text).not.toBe(before);
  });

  it('writes garbage is read on, and one that floods is replaced', async () => {
    const { call } = await start([program('odd', [FAULTS])]);
    expect((await call('odd_garbage')).text).toBe('after the garbage');
    expect((await call('odd_floods')).code()).toBe('upstream_error');
    await vi.waitFor(() => expect(stateOf('odd')?.state).toBe('ready'), PATIENCE);
  });

  it('offers more has it listed', async () => {
    const { call, client } = await start([program('odd', [FAULTS])]);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).not.toContain('odd_grown');
    await call('odd_grows');
    await vi.waitFor(async () => expect(await names()).toContain('odd_grown'), PATIENCE);
  });

  it('is cancelled hears of it', async () => {
    const log = keptLog();
    const { call } = await start([program('odd', [FAULTS])], { logger: log });
    const cancelled = new AbortController();
    const waiting = call('odd_waits', {}, cancelled.signal);
    await call('odd_echo');
    cancelled.abort();
    await expect(waiting).rejects.toThrow();
    await vi.waitFor(() => expect(log.lines.join('\n')).toMatch(/"upstream":"odd"\} cancelled \d/), PATIENCE);
  });

  it('tells its steps has them passed on', async () => {
    const { client } = await start([program('odd', [FAULTS])]);
    const steps: unknown[] = [];
    await client.callTool({ name: 'odd_steps', arguments: {} }, undefined, {
      onprogress: (step) => void steps.push(step),
    });
    expect(steps).toEqual([
      { progress: 1, total: 2, message: 'step 1' },
      { progress: 2, total: 2, message: 'step 2' },
    ]);
  });

  it('logs has its lines redacted and bounded', async () => {
    const log = keptLog();
    const { call } = await start([program('odd', [FAULTS])], { logger: log });
    await call('odd_says', { value: 'api_key=sk-live-0123456789abcdef0123456789' });
    await vi.waitFor(() => expect(log.lines.join('\n')).toContain('«redacted:'), PATIENCE);
    await call('odd_says', { value: 'z\n'.repeat(1_000) });
    await call('odd_says', { value: 'last' });
    expect(log.lines.join('\n')).not.toContain('sk-live-0123456789');
    expect(log.lines.filter((line) => line.endsWith(' z')).length).toBeLessThan(100);
  });

  it('runs has no secret of ours, and none of another', async () => {
    vi.stubEnv('SPILLWAY_TEST_TOKEN', 'ours');
    const { call } = await start([
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

  it.each([[[]], [['stubborn']]])('has children ends with us, with flags %j', async (flags) => {
    const { call, close } = await start([program('odd', [FAULTS, ...flags])]);
    const pids = [await call('odd_pid'), await call('odd_has_child')].map(({ text }) => Number(text));
    expect(pids.map(isPidRunning)).toEqual([true, true]);
    await close();
    server = undefined;
    await vi.waitFor(() => expect(pids.map(isPidRunning)).toEqual([false, false]), PATIENCE);
  });

  it('never answers keeps no start and no other call waiting', async () => {
    const entries = [program('mute', [FAULTS, 'silent']), program('good', [FAULTS])];
    server = await startMemoryServer({}, { upstreamParts: { entries, trust: trustAll } });
    server.upstreams.start();
    await vi.waitFor(() => expect(stateOf('good')?.state).toBe('ready'), PATIENCE);
    expect((await server.call('good_echo', { value: 'a' })).text).toBe('a');
    expect(stateOf('mute')?.state).toBe('starting');
  });
});
