import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

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
const POLL_MS = 20;

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

/** A port of loopback that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

/**
 * Starts `node dist/index.js --http PORT --home HOME …` and waits until it accepts connections.
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
  const port = await findFreePort();
  const child = spawn(process.execPath, [built(SERVER), '--http', String(port), '--home', home, ...args], {
    env: { ...process.env, SPILLWAY_TOKEN: token, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = new Promise<void>((fulfil) => child.once('close', () => fulfil()));
  const stderrText = (): string => text;
  const stop = (): Promise<void> => stopChild(child, exited);
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended with ${child.exitCode ?? child.signalCode}:\n${text}`);
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`The server did not listen within ${START_TIMEOUT_MS} ms:\n${text}`);
    }
    await delay(POLL_MS);
  }
  return { url: `http://127.0.0.1:${port}/mcp`, token, home, child, stderrText, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((fulfil) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => fulfil(true)).once('error', () => fulfil(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited.finally(() => clearTimeout(timer));
  }
}
