import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const EXTENSION = join(import.meta.dirname, 'bare');
const HOST = join(import.meta.dirname, 'bare-host.mjs');
const NAME = 'com.spillway.bare';
const START_TIMEOUT_MS = 30_000;

/** An unpacked extension's id is derived from its path. */
function extensionId(path) {
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 32);
  return Array.from(digest, (digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
}

/**
 * A browser with the bare extension and the bare host.
 * @param {string} executable a Chromium
 * @param {readonly string[]} args its switches besides profile and extension
 */
export async function startBareBrowser(executable, args) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bare-'));
  const manifests = join(folder, 'profile', 'NativeMessagingHosts');
  const launcher = join(folder, 'host');
  const socket = join(folder, 'control.sock');
  mkdirSync(manifests, { recursive: true });
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${HOST}' '${socket}'\n`, { mode: 0o700 });
  const origins = [`chrome-extension://${extensionId(EXTENSION)}/`];
  const manifest = {
    name: NAME,
    description: 'Bare',
    path: launcher,
    type: 'stdio',
    allowed_origins: origins,
  };
  writeFileSync(join(manifests, `${NAME}.json`), JSON.stringify(manifest));
  const server = createServer();
  const connected = new Promise((resolve) => server.once('connection', resolve));
  await new Promise((resolve) => server.listen(socket, resolve));
  const browser = spawn(
    executable,
    [
      ...args,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--load-extension=${EXTENSION}`,
      `--disable-extensions-except=${EXTENSION}`,
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const close = async () => {
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    server.close();
    for (const stream of browser.stdio) stream?.destroy();
    if (browser.exitCode === null && browser.signalCode === null) await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  const control = await Promise.race([connected, failAfter(START_TIMEOUT_MS, 'the bare host')]);
  const answers = createInterface({ input: control })[Symbol.asyncIterator]();
  const ask = async (command) => {
    control.write(`${JSON.stringify(command)}\n`);
    return JSON.parse((await answers.next()).value);
  };
  return { ask, close };
}

function failAfter(timeoutMs, what) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${what} did not come within ${timeoutMs} ms`)), timeoutMs).unref();
  });
}
