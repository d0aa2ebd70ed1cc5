import { DelayedError, type Job } from 'bullmq';
import { z } from 'zod';
import { parseUrl } from '../../shared/base/private-address.ts';
import type { QueueConnection } from './connection.ts';
import { type Asked, KEYS, MAX_DELAY_MS } from './wire.ts';

/** Beyond the time that a page may take. The page of a worker that has died keeps its turn. */
const MARGIN_MS = 10_000;
/** How often the next page asks while one of its host is being read. */
const ASK_AGAIN_MS = 50;

/** How long a host is remembered: longer than twice the longest delay. */
const HOST_MS = 1_500_000;

/**
 * The strictest delay of the homes that are asking for pages of the host, and the time of its last request. Redis has
 * the only clock.
 */
const CLAIM = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local asked, job, pageMs = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local host = redis.call('HMGET', KEYS[1], 'delay', 'until', 'last', 'held', 'by')
local delay = tonumber(host[1]) or 0
if asked >= delay or (tonumber(host[2]) or 0) < now then
  delay = asked
  redis.call('HSET', KEYS[1], 'delay', delay, 'until', string.format('%d', now + 2 * delay + pageMs))
end
redis.call('PEXPIRE', KEYS[1], ${HOST_MS})
if delay > 0 then
  local held = (tonumber(host[4]) or 0) - now
  if held > 0 and host[5] ~= job then return math.min(held, math.max(delay, ${ASK_AGAIN_MS})) end
  local left = (tonumber(host[3]) or 0) + delay - now
  if left > 0 then return left end
  redis.call('HSET', KEYS[1], 'held', string.format('%d', now + pageMs), 'by', job)
end
redis.call('HSET', KEYS[1], 'last', string.format('%d', now + 1))
return 0`;

const FINISH = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.ceil(time[2] / 1000)
redis.call('HSET', KEYS[1], 'last', string.format('%d', now))
redis.call('PEXPIRE', KEYS[1], ${HOST_MS})
if redis.call('HGET', KEYS[1], 'by') == ARGV[1] then redis.call('HDEL', KEYS[1], 'held', 'by') end
return 0`;

interface Turn {
  readonly job: Job;
  readonly asked: Asked;
  readonly connection: QueueConnection;
  readonly token: string | undefined;
  /** How long a page may take. */
  readonly pageMs: number;
}

/**
 * Reads a page when it is its turn: a host with a delay gets one request at a time, of all workers and homes, and the
 * next one a delay after its answer. When a request reaches the site is not known any sooner.
 * @throws DelayedError if it is not its turn: it waits in the queue
 */
export async function inTurn<T>({ job, asked, connection, token, pageMs }: Turn, read: () => Promise<T>) {
  const { id = '' } = job;
  if (asked.kind !== 'page') return read();
  const { redis } = connection;
  const host = KEYS.host(parseUrl(asked.href)?.origin ?? asked.href);
  const waitMs = z
    .number()
    .parse(await connection.write(() => redis.eval(CLAIM, 1, host, asked.delay_ms, id, pageMs + MARGIN_MS)));
  if (waitMs > 0) {
    // Others may have written what the host's turn is said to be.
    await job.moveToDelayed(Date.now() + Math.min(waitMs, MAX_DELAY_MS), token);
    throw new DelayedError();
  }
  try {
    return await read();
  } finally {
    await connection.write(() => redis.eval(FINISH, 1, host, id));
  }
}
