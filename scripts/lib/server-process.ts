import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { withTimeout } from '../../shared/base/async.ts';

/** The built server: what a client's configuration names. */
export const SERVER = resolve(import.meta.dirname, '../../dist/index.js');

/** A file of the build. @throws at once, where else a process would end without a reason */
export function built(path: string): string {
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build.`);
  return path;
}

/** A busy machine may need many seconds to load it. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const ANNOUNCED = /^spillway listens on (\S+)\n/m;

/** A server on HTTP, started as a user would. */
export interface HttpServerProcess {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly child: ChildProcess;
  readonly stderrText: () => string;
  /** Asks it to exit, then kills it. Resolves when it has exited. Idempotent. */
  readonly stop: () => Promise<void>;
}

/** Below the ports that systems give to sockets which ask for none: only a caller of this could take it meanwhile. */
const PORTS = [10_100, 16_000] as const;

/** A port of loopback that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/**
 * Starts `node dist/index.js --http 0 --home HOME …` and waits until it says where it listens.
 * @throws with the server's output if it exits first, or takes longer than a minute
 */
export async function startHttpServer({
  home,
  args = [],
  env = {},
  token = randomBytes(24).toString('base64url'),
}: {
  home: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  token?: string;
}): Promise<HttpServerProcess> {
  const child = spawn(process.execPath, [built(SERVER), '--http', '0', '--home', home, ...args], {
    env: { ...process.env, SPILLWAY_TOKEN: token, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const exited = new Promise<void>((fulfil) => child.once('close', () => fulfil()));
  const listens = new Promise<string>((fulfil, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const url = ANNOUNCED.exec(text)?.[1];
      if (url !== undefined) fulfil(url);
    });
    const ended = () => new Error(`The server ended with ${child.exitCode ?? child.signalCode}:\n${text}`);
    void exited.then(() => reject(ended()));
  });
  const stderrText = (): string => text;
  const stop = (): Promise<void> => stopChild(child, exited);
  const late = () => new Error(`The server did not listen within ${START_TIMEOUT_MS} ms:\n${text}`);
  const url = await withTimeout(listens, START_TIMEOUT_MS, late).catch(async (thrown: unknown) => {
    await stop();
    throw thrown;
  });
  return { url, token, home, child, stderrText, stop };
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited.finally(() => clearTimeout(timer));
  }
}
