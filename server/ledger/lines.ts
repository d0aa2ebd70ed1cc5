import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';
import { canonicalJson } from '../../shared/json.ts';
import { join } from 'node:path';
import { namesIn } from '../machine/names-in.ts';
import { openRegular } from '../machine/regular-file.ts';

const Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** What each line has. Later versions may add members, which the hash covers too. */
const Line = z.looseObject({
  /** Number of the line, from 1. */
  seq: z.int().min(1),
  /** Wall clock, UTC. */
  ts: z.iso.datetime(),
  /** Milliseconds since the chain began, by a clock that nobody sets. */
  offset_ms: z.number().min(0),
  /** Hash of the line before; zeros in the first. */
  prev: Hex,
  kind: z.string(),
  /** SHA-256 of the canonical JSON of the line without `hash` and `mac`. */
  hash: Hex,
  /** HMAC of the hash by the key of the home: only a server of this home can have written the line. */
  mac: Hex,
});
export type Line = z.infer<typeof Line>;

/** A place in another chain that a line refers to. */
const Link = z.object({ chain: z.string(), seq: z.int().min(1), hash: Hex });
export type Link = z.infer<typeof Link>;

/** The first line of a chain. */
const Opening = z.looseObject({
  kind: z.literal('opened'),
  /** The name of its file, so that no other file can take its place. */
  chain: z.string(),
  /** Names the key of the MACs. */
  key: z.string(),
  /** Ends of the chains that were there before. */
  continues: z.array(Link),
});
export type Opening = z.infer<typeof Opening>;

/** `prev` of a first line. */
export const NO_HASH = '0'.repeat(64);

type Body = JsonObject & Pick<Line, 'seq' | 'ts' | 'offset_ms' | 'prev' | 'kind'>;

const hashOf = (body: JsonObject): string => createHash('sha256').update(canonicalJson(body)).digest('hex');

/** Each use of the key has its own prefix, so that a MAC made for one use is invalid for another. */
export const macOf = (key: Buffer, use: 'line' | 'head', text: string): string =>
  createHmac('sha256', key).update(`${use}:${text}`).digest('hex');

/** Whether two texts of hexadecimal digits are equal, in constant time. */
export const isSameMac = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Names a key without giving it away. */
export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('key:').update(key).digest('hex').slice(0, 16);

/** The text of a line, without its break, and its hash. */
export function writeLine(body: Body, key: Buffer): { readonly text: string; readonly hash: string } {
  const hash = hashOf(body);
  return { text: canonicalJson({ ...body, hash, mac: macOf(key, 'line', hash) }), hash };
}

/** A line as it was written; null for any other text, even one that differs by a byte. */
export function readLine(text: string): Line | null {
  try {
    const value = parseJson(text);
    if (!isObject(value) || canonicalJson(value) !== text) return null;
    const { hash, mac: _mac, ...body } = value;
    return hash === hashOf(body) ? Line.parse(value) : null;
  } catch {
    return null;
  }
}

/** The facts of a first line; null for another. */
export function readOpening(line: Line): Opening | null {
  const { data } = Opening.safeParse(line);
  return data ?? null;
}

export interface Places {
  readonly chains: string;
  /** Ends of the chains and the key, apart from them: what is done to one folder shows in the other. */
  readonly heads: string;
}

const CHAIN_ENDING = '.jsonl';
const HEAD_ENDING = '.head';

export const placesOf = (home: string): Places => ({
  chains: join(home, 'ledger'),
  heads: join(home, 'ledger-heads'),
});

export const chainPath = ({ chains }: Places, chain: string): string =>
  join(chains, `${chain}${CHAIN_ENDING}`);
export const headPath = ({ heads }: Places, chain: string): string => join(heads, `${chain}${HEAD_ENDING}`);

/** Names of the chains that have a file, oldest first as far as their clock was right. */
export const listChains = ({ chains }: Places): Promise<string[]> => listNames(chains, CHAIN_ENDING);
/** Names of the chains that have a head. */
export const listHeads = ({ heads }: Places): Promise<string[]> => listNames(heads, HEAD_ENDING);

async function listNames(folder: string, ending: string): Promise<string[]> {
  const files = await namesIn(folder);
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** The facts of a chain's first line; null if it is not a first line. @throws what the disk refuses */
export async function openingOf(places: Places, chain: string): Promise<Opening | null> {
  for await (const { text, hasEnded } of readLines(chainPath(places, chain))) {
    const line = text === null || !hasEnded ? null : readLine(text);
    return line === null ? null : readOpening(line);
  }
  return null;
}

const NEW_LINE = 0x0a;
/** Far longer than any line of ours: a file without breaks must not fill the memory. */
const LINE_BYTES_MAX = 1024 * 1024;

/** The bytes between two breaks. */
export interface FoundLine {
  /** Null for bytes that are not UTF-8, or far too many. */
  readonly text: string | null;
  readonly sizeBytes: number;
  /** False for what follows the last break. */
  readonly hasEnded: boolean;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function found(bytes: Buffer, sizeBytes: number, hasEnded: boolean): FoundLine {
  try {
    return { text: bytes.length === sizeBytes ? decoder.decode(bytes) : null, sizeBytes, hasEnded };
  } catch {
    return { text: null, sizeBytes, hasEnded };
  }
}

/** The lines of a file, as they are. Memory: the longest line, at most a megabyte. @throws what the disk refuses */
export async function* readLines(path: string): AsyncGenerator<FoundLine, void> {
  let [kept, sizeBytes]: [Buffer[], number] = [[], 0];
  const keep = (part: Buffer): void => {
    sizeBytes += part.length;
    if (sizeBytes <= LINE_BYTES_MAX) kept.push(part);
  };
  for await (const chunk of (await openRegular(path)).createReadStream() as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
      keep(chunk.subarray(from, at));
      yield found(Buffer.concat(kept), sizeBytes, true);
      [kept, sizeBytes, from] = [[], 0, at + 1];
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  }
  if (sizeBytes > 0) yield found(Buffer.concat(kept), sizeBytes, false);
}
