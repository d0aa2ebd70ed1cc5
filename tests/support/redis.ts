import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { ensureRedis, redisArguments } from '../../scripts/lib/redis.mjs';
import { findFreePort } from '../../scripts/lib/server-process.ts';
import { endedOnce } from './end-of-file.ts';
import { testFolder } from './test-folder.ts';

export interface TestRedis {
  readonly queue: string;
  readonly client: Redis;
  /** Ends it as a crash does. */
  end(): Promise<void>;
  /** Ends it, and starts it again with what its append-only file has. */
  restart(args?: readonly string[]): Promise<void>;
}

/** Homes and workers of tests share it, also those in other processes. */
process.env['SPILLWAY_QUEUE_KEY'] ??= 'a1'.repeat(32);

/** A Redis of the test's own, on loopback. */
export async function startRedis(...args: readonly string[]): Promise<TestRedis> {
  await ensureRedis(() => undefined);
  const port = await findFreePort();
  const place = redisArguments(port, testFolder());
  const start = (more: readonly string[]) => spawn('redis-server', [...place, ...more], { stdio: 'ignore' });
  let child = start(args);
  const client = new Redis({ port, maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on('error', () => undefined);
  await client.ping();
  const end = async (): Promise<void> => {
    if (child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  endedOnce(async () => {
    client.disconnect();
    await end();
  });
  return {
    queue: `redis://127.0.0.1:${port}`,
    client,
    end,
    async restart(more = args) {
      await end();
      child = start(more);
      await client.ping();
    },
  };
}
