import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EXTENSION_ID } from '../../shared/bridge/wire.ts';
import { VERSION } from '../../shared/version.ts';
import { lendBrowser, spawnBrowser, type SpawnedBrowser } from './worker/browser.ts';
import { failure } from './worker/failure.ts';
import { receiveStream } from './worker/stream.ts';
import { TestHost, type HostPort, type HostBehaviour } from './worker/test-host.ts';
import { PATIENCE } from '../support/patience.ts';

const workerUrl = `chrome-extension://${EXTENSION_ID}/worker.js`;
const WINDOW = 4 * 1024 * 1024;

let host: TestHost;
let browser: SpawnedBrowser;

beforeAll(async () => {
  host = await TestHost.listen();
  browser = await lendBrowser({ host });
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

/** Ends the worker: the next one knows of no port before, and finds a host that behaves so. */
async function restartWorker(manners: HostBehaviour): Promise<HostPort> {
  host.manners = manners;
  const before = host.ports.length;
  await killWorker();
  return host.port(before + 1);
}

/** Does something that ends the port, and resolves with the next one, to which a server has come. */
async function nextPort(end: () => void | Promise<void>): Promise<HostPort> {
  const before = host.ports.length;
  await end();
  const port = await host.port(before + 1);
  port.open(1);
  return port;
}

/** The badge's tooltip, as soon as `matches` holds. */
function badge(
  matches: (text: string, title: string) => boolean,
  { devtools }: SpawnedBrowser = browser,
): Promise<string> {
  return vi.waitFor(async () => {
    const worker = devtools
      .contexts()[0]
      ?.serviceWorkers()
      .find((candidate) => candidate.url() === workerUrl);
    const [text = '', title = ''] =
      (await worker?.evaluate(async () => [
        await chrome.action.getBadgeText({}),
        await chrome.action.getTitle({}),
      ])) ?? [];
    if (!matches(text, title)) throw new Error(`The badge says "${text}", its tooltip "${title}".`);
    return title;
  }, PATIENCE);
}

/** Ends the service worker as the browser would. */
async function killWorker(): Promise<void> {
  const session = await browser.devtools.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url === workerUrl);
  if (worker === undefined) throw new Error('No worker is running.');
  await session.send('Target.closeTarget', { targetId: worker.targetId });
  await session.detach();
}

describe('one browser, one host', () => {
  let port: HostPort;
  beforeAll(async () => {
    port = await host.port(1);
    port.open(1);
  });

  it('says hello first, with product, version, wire, profile and browser', async () => {
    expect(port.origin).toBe(`chrome-extension://${EXTENSION_ID}/`);
    const [hello] = port.frames;
    expect(hello).toMatchObject({
      channel: 0,
      message: {
        type: 'hello',
        role: 'extension',
        identity: { product: 'spillway', version: VERSION, wire: { min: 1, max: 2 } },
        browser: { name: 'Chromium', version: expect.stringMatching(/^\d+\./) as string, label: null },
      },
    });
    await badge((text, title) => text === 'on' && title.includes('1 server'));
  });

  it.each([
    ['no.such', {}, 'api_not_found', 'no.such'],
    ['bridge.flood', { stream: 1, credit: 0, bytes: 1 }, 'invalid_argument', 'credit'],
    ['bridge.echo', { value: 'x'.repeat(523_800) }, 'frame_too_large', 'bridge.echo'],
  ])('answers %s %j with %s', async (method, params, code, said) => {
    const error = await failure(port.start(method, params).result);
    expect(error.code).toBe(code);
    expect(error.message).toContain(said);
  });

  it('lets no page command it: not a site, not its own pages opened in a tab', async () => {
    const context = browser.devtools.contexts()[0];
    const page = await context?.newPage();
    if (page === undefined) throw new Error('No page.');
    await page.goto(`chrome-extension://${EXTENSION_ID}/popup/popup.html`);
    const frames = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let count = 0;
          const popup = chrome.runtime.connect({ name: 'popup' });
          popup.onMessage.addListener(() => (count += 1));
          popup.onDisconnect.addListener(() => resolve(count));
        }),
    );
    expect(frames).toBe(0);
    await page.close();
  });

  it('kill -9 during a stream: the next port works', async () => {
    const received = receiveStream(port, { stream: 1, window: WINDOW });
    const { result } = port.start('bridge.flood', { stream: 1, credit: WINDOW, bytes: 500_000_000 });
    result.catch(() => {});
    await port.frame(({ message }) => message['stream'] === 1);
    const cut = expect(received).rejects.toThrow('The port closed.');
    const next = await nextPort(() => port.kill('SIGKILL'));
    await cut;
    expect(await next.call('bridge.echo', { value: 'again' })).toEqual({ value: 'again' });
    expect((await next.call('browser.describe', {})).reconnects).toBe(1);
    await badge((text) => text === 'on');
  });
});

describe('streams', () => {
  let port: HostPort;
  let stream = 0;
  beforeAll(async () => {
    port = await restartWorker('greets');
    port.open(1);
  });

  const flood = (bytes: number, credit: number, receive: { onChunk?: () => boolean } = {}) => {
    stream += 1;
    const received = receiveStream(port, { stream, window: credit, ...receive });
    const call = port.start('bridge.flood', { stream, credit, bytes });
    return { received, ...call, stream };
  };

  // Sizes and credits are in tests/unit/extension/stream-sender.test.ts.
  it('arrives sealed, with no more than the granted bytes unacknowledged', async () => {
    const [bytes, credit] = [10_000_003, 200_000];
    const { received, result } = flood(bytes, credit);
    const { text, sealed, mostInFlight } = await received;
    expect({ length: text.length, sealed }).toEqual({ length: bytes, sealed: true });
    expect(mostInFlight).toBeLessThanOrEqual(credit);
    expect(await result).toEqual({ bytes });
  });
});

describe('faults', () => {
  describe('of a running host', () => {
    let port: HostPort;
    beforeEach(async () => {
      port = await restartWorker('greets');
      port.open(1);
    });

    it('a worker that dies comes back by itself, with the same profile', async () => {
      const next = await nextPort(killWorker);
      await port.closed;
      expect(await next.call('bridge.echo', { value: 'alive' })).toEqual({ value: 'alive' });
      const instances = [port, next].map(
        ({ frames }) => (frames[0]?.message['identity'] as { instance: string }).instance,
      );
      expect(instances[0]).toBe(instances[1]);
    });
  });

  it('a host that is slow to say hello is named, waited for and used', async () => {
    const slow = await restartWorker('mute');
    const title = await badge((text) => text === '!');
    expect(title).toContain('has not answered yet');
    expect(title).toContain('spillway doctor');
    slow.greet(false);
    slow.open(1);
    expect(await slow.call('bridge.echo', { value: 'hello' })).toEqual({ value: 'hello' });
    host.manners = 'greets';
  });

  it('no host at all: says to install one', async () => {
    const alone = await spawnBrowser(await mkdtemp(join(tmpdir(), 'spillway-profile-')));
    onTestFinished(() => alone.close());
    expect(await badge((text, title) => text === '' && title.includes('not connected'), alone)).toContain(
      'spillway install',
    );
  });
});
