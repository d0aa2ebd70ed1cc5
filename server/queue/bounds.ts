import type { Redis } from 'ioredis';
import { LIMITS } from '../../shared/base/limits.ts';

/** Of one message, as JSON. */
export const UNPACKED_BYTES = 2 * LIMITS.sitemapBytes;
/** Of a value in a reply: a message that gzip did not shrink, with its signature. */
const VALUE_BYTES = UNPACKED_BYTES + 65_536;
const VALUES_MAX = 100_000;
const LINE_UNITS = 65_536;
/** Of a job's data: base64 in quotes. */
const JOB_UNITS = 1_048_576;
const ID_BYTES = 1_024;
const IDS_MAX = 1_000;

/**
 * Comes before each script of BullMQ, which parses what a script returns. Of a job it returns the fields that a worker
 * needs, unless they are too long, and data only if it is a text; the others are removed. So are ids that are too long.
 */
const BOUNDED = `
local bounds = { data = ${JOB_UNITS}, opts = 1024, defa = 1024 }
for _, name in ipairs({ 'name', 'timestamp', 'delay', 'priority', 'ats', 'atm', 'stc', 'processedOn' }) do bounds[name] = 32 end
local function fields(key, reply)
  local kept = {}
  for at = 1, #reply, 2 do
    local name, value = reply[at], reply[at + 1]
    if bounds[name] and #value <= bounds[name] and not (name == 'data' and string.find(value, '[%[{]')) then
      kept[#kept + 1], kept[#kept + 2] = name, value
    end
  end
  if #kept < #reply then
    redis.call('UNLINK', key)
    if #kept > 0 then redis.call('HSET', key, unpack(kept)) end
  end
  return kept
end
local function isLong(id) return type(id) == 'string' and #id > ${ID_BYTES} end
local function ids(reply)
  local kept = {}
  for at = 1, math.min(#reply, ${IDS_MAX}) do if not isLong(reply[at]) then kept[#kept + 1] = reply[at] end end
  return kept
end
local redis = setmetatable({ call = function(command, ...)
  local reply = redis.call(command, ...)
  if command == 'HGETALL' then return fields(..., reply) end
  if command == 'SMEMBERS' then return ids(reply) end
  while (command == 'RPOPLPUSH' and isLong(reply)) or (command == 'ZPOPMIN' and isLong(reply[1])) do
    if command == 'RPOPLPUSH' then redis.call('LPOP', select(2, ...)) end
    reply = redis.call(command, ...)
  end
  return reply
end }, { __index = redis })
`;

/** Bounds what others can have a connection, and those made from it, receive and parse. */
export function boundConnection<T extends Redis>(redis: T): T {
  redis.on('connect', () => {
    const { stream } = redis;
    const sizes = new ReplySizes();
    const refused = (): Error => new Error('a reply was larger than any of ours, and was refused');
    stream.prependListener('data', (chunk: Buffer) => {
      // Blocked commands are sent again: they have removed the value.
      if (!stream.destroyed && !sizes.areBounded(chunk)) stream.destroy(refused());
    });
  });
  const { defineCommand, duplicate } = redis;
  redis.defineCommand = (name, { lua, ...definition }) =>
    defineCommand.call(redis, name, { ...definition, lua: BOUNDED + lua });
  redis.duplicate = (changed) => boundConnection(duplicate.call(redis, changed));
  return redis;
}

/** Reads the sizes that the replies of a connection announce. */
class ReplySizes {
  /** Of the value that is being received. */
  #left = 0;
  #line = '';

  /** False once a value is too large. */
  areBounded(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(this.#left, chunk.length - at);
      this.#left -= skipped;
      at += skipped;
      const end = chunk.indexOf('\n', at);
      this.#line += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
      if (this.#line.length > LINE_UNITS) return false;
      if (end < 0) return true;
      if (!this.#isBounded(this.#line)) return false;
      this.#line = '';
      at = end + 1;
    }
    return true;
  }

  #isBounded(line: string): boolean {
    const size = Number.parseInt(line.slice(1), 10);
    if (/^[*%~>]/.test(line)) return size <= VALUES_MAX;
    if (/^[$=!]/.test(line)) this.#left = Math.max(0, size + 2);
    return this.#left <= VALUE_BYTES;
  }
}
