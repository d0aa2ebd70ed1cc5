/**
 * A bundle of a page with many megabytes of pictures that do not compress, in a Chromium of its own:
 *
 *     node --import tsx bench/evidence.mjs [mebibytes]
 *
 * The last line of output is the result as JSON: time, sizes, and how much the memory of server, native
 * host and the extension's worker grew. Needs a build (`npm run build`).
 */
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launcherText } from '../server/bridge/install/launcher.ts';
import { hostManifestText, MANIFEST_FILE } from '../server/bridge/install/launcher.ts';
import { searchChromium } from '../server/bridge/index.ts';
import { sendHtml, serveOnLoopback } from './lib/loopback.mjs';
import { McpClient } from './lib/mcp-client.mjs';
import { endTree, processTree, watchMemory } from './lib/processes.mjs';

const MIB = 2 ** 20;
const PICTURE_MIB = 8;
const WIDTH = 1_024;
const TIMEOUT_MS = 120_000;
const [mebibytes = 204] = process.argv.slice(2).map(Number);
const DIST = resolve(import.meta.dirname, '../dist');

/** A BMP of random pixels. */
function picture() {
  const height = Math.floor((PICTURE_MIB * MIB) / 3 / WIDTH);
  const bytes = Buffer.alloc(54 + WIDTH * height * 3);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(WIDTH, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  randomBytes(WIDTH * height * 3).copy(bytes, 54);
  return bytes;
}

const count = Math.ceil(mebibytes / PICTURE_MIB);
const tags = Array.from({ length: count }, (_, at) => `<img src="${at}.bmp" width="64" height="64">`).join(
  '',
);
const site = await serveOnLoopback((request, response) => {
  if (request.url.endsWith('.bmp')) response.writeHead(200, { 'content-type': 'image/bmp' }).end(picture());
  else
    sendHtml(
      response,
      `<!doctype html><title>Bundle</title>${request.url === '/large' ? tags : '<p>small</p>'}`,
    );
});
const { origin } = site;

/** A Chromium with the built extension, whose worker can be looked into. */
async function startBrowser(folder, bridgeDirectory) {
  const { found } = await searchChromium();
  if (found === null) throw new Error('No Chromium was found.');
  const profile = join(folder, 'profile');
  const launcher = join(folder, 'spillway-host');
  mkdirSync(join(profile, 'NativeMessagingHosts'), { recursive: true, mode: 0o700 });
  mkdirSync(bridgeDirectory, { mode: 0o700 });
  const facts = {
    node: process.execPath,
    hostScript: join(DIST, 'host.js'),
    bridgeDirectory,
    serverScript: null,
    isPrivate: true,
  };
  writeFileSync(launcher, launcherText('linux', facts), { mode: 0o700 });
  writeFileSync(join(profile, 'NativeMessagingHosts', MANIFEST_FILE), hostManifestText(launcher));
  const extension = join(DIST, 'extension');
  const child = spawn(
    found.path,
    [
      ...[`--user-data-dir=${profile}`, '--headless=new', '--remote-debugging-pipe', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--load-extension=${extension}`, `--disable-extensions-except=${extension}`],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  return { child, debug: debugOver(child.stdio[3], child.stdio[4]) };
}

/** Chrome's protocol over its pipe: JSON messages that end in NUL. */
function debugOver(to, from) {
  const pending = new Map();
  let id = 0;
  let held = '';
  for (const stream of [to, from]) stream.on('error', () => {});
  from.setEncoding('utf8').on('data', (text) => {
    const messages = (held + text).split('\0');
    held = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      pending.get(message.id)?.(message.result ?? {});
      pending.delete(message.id);
    }
  });
  return (method, params = {}, sessionId = undefined) =>
    new Promise((fulfil) => {
      pending.set((id += 1), fulfil);
      to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}

async function waitFor(what, look) {
  for (const end = performance.now() + 20_000; performance.now() < end; await delay(20)) {
    try {
      const found = await look();
      if (found) return found;
    } catch {
      // Not there yet.
    }
  }
  throw new Error(`Waited for ${what}.`);
}

/** Samples the heap of the extension's worker until `stop`, which answers its peaks in bytes. */
async function watchWorker(debug) {
  const target = await waitFor('the worker', async () => {
    const { targetInfos } = await debug('Target.getTargets');
    return targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith('/worker.js'));
  });
  const attached = { targetId: target.targetId, flatten: true };
  const { sessionId } = await debug('Target.attachToTarget', attached);
  let heap = 0;
  let all = 0;
  const ask = async () => {
    const usage = await debug('Runtime.getHeapUsage', {}, sessionId);
    const { usedSize = 0, backingStorageSize = 0 } = usage;
    heap = Math.max(heap, usedSize);
    all = Math.max(all, usedSize + backingStorageSize);
  };
  const timer = setInterval(ask, 50);
  return {
    stop: async () => {
      clearInterval(timer);
      await ask();
      return { workerHeapBytes: heap, workerHeapAndBuffersBytes: all };
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
const bridgeDirectory = join(folder, 'run');
const { child, debug } = await startBrowser(folder, bridgeDirectory);
const client = new McpClient({
  command: process.execPath,
  args: [join(DIST, 'index.js'), '--home', join(folder, 'home')],
  env: { SPILLWAY_BRIDGE_DIR: bridgeDirectory },
});
try {
  await client.initialize(TIMEOUT_MS);
  await client.call('navigate', { url: `${origin}/small` }, TIMEOUT_MS);
  await client.call('oc_evidence_bundle', { output_mode: 'handle' }, TIMEOUT_MS);
  const worker = await watchWorker(debug);
  await client.call('navigate', { url: `${origin}/large`, timeout_ms: TIMEOUT_MS }, TIMEOUT_MS);
  const host = await waitFor('the native host', () =>
    processTree(child.pid).find(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('host.js'),
    ),
  );
  const [ofServer, ofHost] = [watchMemory(client.pid), watchMemory(host.pid)];
  const startedAt = performance.now();
  const answer = await client.call('oc_evidence_bundle', { output_mode: 'handle' }, TIMEOUT_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { size_bytes: sizeBytes } = JSON.parse(answer.content[0].text);
  const result = {
    seconds,
    sizeBytes,
    notes: answer.content[1]?.text,
    serverGrowthBytes: ofServer.stop().growthBytes,
    hostGrowthBytes: ofHost.stop().growthBytes,
    ...(await worker.stop()),
  };
  console.log(JSON.stringify(result));
} finally {
  await client.close();
  await endTree(processTree(child.pid), 4_000);
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
