import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSession } from '../../support/session.ts';
import { systemClock as clock } from '../../../server/core/services.ts';
import { createScratch } from '../../../server/core/machine/private-folder.ts';
import { NetworkCaptures, type NetworkQuery } from '../../../server/network/index.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { defer } from '../../../shared/base/async.ts';
import { silentLogger } from '../../support/app-options.ts';
import { codeOf } from '../../support/code-of.ts';
import { CaptureBridge } from './capture-bridge.ts';
import type { HarEntry } from './replay.ts';
import { testFolder } from '../../support/test-folder.ts';

const target = { browser: 'b1', tabId: 7 } as const;
const signal = new AbortController().signal;
const ALL: NetworkQuery = { tab: target, filter: {}, sort: null, bodies: 'all' };
let home: string;
let bridge: CaptureBridge;
let network: NetworkCaptures;
let session: ReturnType<typeof createSession>;
function create(special: Partial<ConstructorParameters<typeof NetworkCaptures>[0]> = {}): void {
  bridge = new CaptureBridge();
  session = createSession('s');
  network = new NetworkCaptures({
    bridge,
    redactor: createRedactor({ enabled: true }),
    scratch: createScratch({ home, logger: silentLogger }),
    clock,
    logger: silentLogger,
    maxBytes: 64 * 1024 * 1024,
    bodyBytes: 2_000,
    fromStart: false,
    ...special,
  });
}
const start = (of = session, bodies: 'all' | 'none' = 'all') => network.start(of, target, { bodies, signal });
beforeEach(() => {
  home = testFolder();
  create();
});
afterEach(() => network.close());

async function read(of = session, query: Partial<NetworkQuery> = {}) {
  const slice = await network.entries(of, { ...ALL, ...query }, signal);
  const entries: HarEntry[] = [];
  for await (const entry of slice.entries) entries.push(entry as unknown as HarEntry);
  return { entries, coverage: slice.coverage.join('\n'), secrets: slice.redacted.secrets };
}

describe('a capture', () => {
  it('gives what arrived before the slice was requested, including pending requests', async () => {
    await start();
    bridge.exchange('1', { body: 'one' });
    bridge.begin('2');
    const { entries, coverage } = await read();
    const textOf = ({ _id, _pending, response }: HarEntry) => `${_id} ${_pending} ${response.content.text}`;
    expect(entries.map(textOf)).toEqual(['r1 undefined one', 'r2 true undefined']);
    expect(coverage).toContain('1 request is still pending');
    bridge.finish('2', { body: 'two' });
    expect((await read()).entries.map(textOf)).toEqual(['r1 undefined one', 'r2 undefined two']);
  });

  it('is redacted when it comes, and tells what was', async () => {
    await start();
    bridge.exchange('1', { url: 'http://a.test/?token=abcdef', body: '{"password":"x y z"}' });
    const { entries, secrets } = await read();
    expect(JSON.stringify(entries)).not.toMatch(/abcdef|x y z/);
    expect(secrets).toMatchObject({ token: 2, password: 1 });
  });

  it.each([4_000, 100_000])('continues after a body of %i nested lists', async (depth) => {
    await start();
    const body = '['.repeat(depth) + '{"password":["x y z"]}' + ']'.repeat(depth);
    bridge.exchange('1', { body });
    bridge.exchange('2', { body: 'two' });
    const { entries, coverage } = await read();
    expect(entries.map(({ _id }) => _id)).toEqual(['r1', 'r2']);
    expect(JSON.stringify(entries)).not.toContain('x y z');
    expect(coverage).not.toContain('ended');
  });

  it('continues after a request that cannot be redacted, and says that it is missing', async () => {
    const sound = createRedactor({ enabled: true });
    const exchange: typeof sound.exchange = (entry) => {
      if (JSON.stringify(entry).includes('/bad')) throw new RangeError('Maximum call stack size exceeded');
      return sound.exchange(entry);
    };
    create({ redactor: { ...sound, exchange } });
    await start();
    bridge.exchange('1', { url: 'http://a.test/bad', body: 'one' });
    bridge.begin('2', 'http://a.test/bad');
    bridge.exchange('3', { body: 'three' });
    for (let time = 0; time < 2; time += 1) {
      const { entries, coverage } = await read();
      expect(entries.map(({ _id }) => _id)).toEqual(['r3']);
      expect(coverage).toContain('Tab b1:7: 2 requests could not be redacted and were omitted.');
      expect(coverage).not.toContain('ended');
    }
    await network.stop(session, target);
    expect((await read()).entries.map(({ _id }) => _id)).toEqual(['r3']);
  });

  it('has one stream for two clients, each with the bodies that it asked for', async () => {
    const leaving = new AbortController();
    const [first, second] = [createSession('1'), createSession('2', leaving.signal)];
    await start(first, 'none');
    await start(second);
    expect(bridge.streams.map(({ bodies }) => bodies)).toEqual(['none', 'all']);
    bridge.exchange('1', { body: 'one' });
    expect((await read(second)).entries[0]?.response.content.text).toBe('one');
    const { entries, coverage } = await read(first);
    expect(entries[0]?.response.content.text).toBeUndefined();
    expect(coverage).toContain('1 not_asked');
    await network.stop(first, target);
    bridge.exchange('2', { body: 'two' });
    expect((await read(second)).entries).toHaveLength(2);
    expect((await read(first)).entries).toHaveLength(1);
    leaving.abort();
    await expect.poll(() => bridge.streams[1]?.isCancelled).toBe(true);
  });

  it.each([
    ['of another client', '2', 'all'],
    ['with other bodies', 's', 'all'],
    ['of the same client', 's', 'none'],
  ] as const)('continues when a start %s is refused', async (_which, name, bodies) => {
    await start(session, 'none');
    const again = name === 's' ? session : createSession(name);
    bridge.refusal = new SpillwayError('policy_denied', 'A rule denies it.');
    expect(await codeOf(start(again, bodies))).toBe('policy_denied');
    bridge.refusal = null;
    bridge.exchange('1', { body: 'one' });
    expect((await read()).entries).toHaveLength(1);
    expect(network.status(session).captures).toMatchObject([{ state: 'capturing', bodies: 'none' }]);
    await start(again, bodies);
    bridge.exchange('2', { body: 'two' });
    expect((await read()).entries).toHaveLength(2);
  });

  it('restarts for a client that starts it while another one stops it', async () => {
    const [held, other] = [defer<void>(), createSession('2')];
    bridge.stopping = held.promise;
    await start();
    const both = [network.stop(session, target), start(other)];
    await expect.poll(() => network.status(other).captures).toHaveLength(1);
    await new Promise(setImmediate);
    held.resolve();
    await Promise.all(both);
    bridge.exchange('1', { body: 'one' });
    expect((await read(other)).entries).toHaveLength(1);
    expect(network.status(other).captures).toMatchObject([{ state: 'capturing' }]);
    expect(network.status(session).captures).toMatchObject([{ ended: 'stopped' }]);
  });

  it('ends when its clients stop it at the same time', async () => {
    const both = [session, createSession('2')];
    for (const each of both) await start(each);
    await Promise.all(both.map((each) => network.stop(each, target)));
    expect(bridge.streams).toMatchObject([{ ended: 'stopped' }]);
  });

  it('tells of lost events, of webRequest, and of what the ring dropped', async () => {
    create({ maxBytes: 64 * 1024 });
    bridge.source = 'web_request';
    await start();
    bridge.send({ kind: 'lost', lines: 3, reason: 'The server did not read fast enough.' });
    for (let id = 1; id <= 60; id += 1) bridge.exchange(`${id}`, { body: 'x'.repeat(4_000) });
    const { coverage } = await read();
    expect(coverage).toContain('3 events lost');
    expect(coverage).toContain('no debugger can attach');
    expect(coverage).toMatch(/has dropped \d+ requests and the bodies of \d+/);
    expect(coverage).toMatch(/\d+ dropped by the ring/);
    expect(network.status(session).dropped_bodies).toBeGreaterThan(0);
  });
});

it.each([
  ['tab_closed', 'tab_closed'],
  ['cancelled_by_person', 'debugger_cancelled'],
  ['debugger_lost', 'debugger_unavailable'],
] as const)('an end of the browser: %s', async (ended, told) => {
  await start();
  bridge.exchange('1', { body: 'one' });
  await bridge.end(ended);
  await expect.poll(() => network.status(session).captures).toMatchObject([{ state: 'ended', ended: told }]);
  const { entries, coverage } = await read();
  expect(entries).toHaveLength(1);
  expect(coverage).toContain(`ended: ${told}`);
});

it('ends of many tabs are one sentence, after what is missing of all', async () => {
  for (let tabId = 1; tabId <= 12; tabId += 1) {
    await network.start(session, { ...target, tabId }, { bodies: 'none', signal });
    bridge.exchange('1', { body: 'one' });
    await bridge.end('tab_closed');
  }
  const { coverage } = await read(session, { tab: null });
  expect(coverage).toMatch(/^12 bodies are missing.*\nThe captures of 12 tabs .* ended: tab_closed\.$/);
});

it('an end by a person is never overridden, not when the browser comes back either', async () => {
  create({ fromStart: true });
  await network.beforeLoad(session, target, signal);
  await bridge.end('cancelled_by_person');
  bridge.connect();
  await network.beforeLoad(session, target, signal);
  expect(bridge.streams).toHaveLength(1);
});

it('an end of the connection lasts until the browser is back', async () => {
  await start();
  await bridge.end(new SpillwayError('browser_disconnected', 'The port is gone.'));
  const ended = 'browser_disconnected';
  await expect.poll(() => network.status(session).captures).toMatchObject([{ ended }]);
  bridge.connect();
  await bridge.started(2);
  bridge.exchange('1', { body: 'after' });
  const { entries, coverage } = await read();
  expect(entries).toHaveLength(1);
  expect(coverage).toContain('the browser disconnected 1 time');
  expect(network.status(session).captures).toMatchObject([{ state: 'capturing', gaps: 1 }]);
});

it('an end of the client stops its captures and removes its files', async () => {
  const leaving = new AbortController();
  session = createSession('s', leaving.signal);
  await start();
  for (let id = 1; id <= 300; id += 1) bridge.exchange(`${id}`, { body: 'x'.repeat(60_000) });
  await read(session, { bodies: 'none' });
  const files = async (): Promise<number> => (await readdir(join(home, 'tmp'), { recursive: true })).length;
  expect(await files()).toBeGreaterThan(1);
  leaving.abort();
  await network.close();
  expect(await files()).toBe(0);
  expect(bridge.streams[0]?.isCancelled).toBe(true);
});
