import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { isObject, type JsonObject, canonicalJson } from '../../shared/base/json.ts';
import { parseJson } from '../../shared/base/json-schema.ts';
import { namesIn, openRegular, readRegular } from '../core/machine/files.ts';
import { undefinedIfMissing } from '../core/machine/errno.ts';
import type { ChainEnd } from '../../shared/ledger/report.ts';
import type { Bridge } from '../core/services.ts';

const Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** Later versions may add members, which the hash covers too. */
const Line = z.looseObject({
  /** Number of the line, from 1. */
  seq: z.int().min(1),
  /** Wall clock, UTC. */
  ts: z.iso.datetime(),
  /** Milliseconds since the chain began, by a clock that nobody can set. */
  offset_ms: z.number().min(0),
  /** Hash of the line before; zeros in the first. */
  prev: Hex,
  kind: z.string(),
  /** SHA-256 of the canonical JSON of the line without `hash` and `mac`. */
  hash: Hex,
  /** HMAC of the hash with the home's key: only a server of this home can have written the line. */
  mac: Hex,
});
export type Line = z.infer<typeof Line>;

/** A line's reference to a place in another chain. */
const Link = z.object({ chain: z.string(), seq: z.int().min(1), hash: Hex });
export type Link = z.infer<typeof Link>;

/** The first line of a chain. */
const Opening = z.looseObject({
  kind: z.literal('opened'),
  /** The name of its file, so that no other file can replace it. */
  chain: z.string(),
  /** Names the key of the MACs. */
  key: z.string(),
  /** Ends of the earlier chains. */
  continues: z.array(Link),
});
export type Opening = z.infer<typeof Opening>;

/** `prev` of a first line. */
export const NO_HASH = '0'.repeat(64);

type Body = JsonObject & Pick<Line, 'seq' | 'ts' | 'offset_ms' | 'prev' | 'kind'>;

const hashOf = (body: JsonObject): string => createHash('sha256').update(canonicalJson(body)).digest('hex');

/** Each use of the key has its own prefix, so that a MAC for one use is invalid for another. */
export const macOf = (key: Buffer, use: 'line' | 'head', text: string): string =>
  createHmac('sha256', key).update(`${use}:${text}`).digest('hex');

/** Whether two texts of hexadecimal digits are equal, in constant time. */
export const isSameMac = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Identifies a key without revealing it. */
export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('key:').update(key).digest('hex').slice(0, 16);

/** The text of a line, without its line break, and its hash. */
export function writeLine(body: Body, key: Buffer): { readonly text: string; readonly hash: string } {
  const hash = hashOf(body);
  return { text: canonicalJson({ ...body, hash, mac: macOf(key, 'line', hash) }), hash };
}

/** A written line; null for any other text, even one that differs by a byte. */
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

/** The facts of a first line; null for any other. */
export function readOpening(line: Line): Opening | null {
  const { data } = Opening.safeParse(line);
  return data ?? null;
}

export interface Places {
  readonly chains: string;
  /** The chains' ends and the key, in a separate folder: tampering with one shows in the other. */
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

/** Names of the chains that have a file, oldest first if their clocks were right. */
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

/** The facts of a chain's first line; null if it is not a first line. @throws the disk's error */
export async function openingOf(places: Places, chain: string): Promise<Opening | null> {
  for await (const { text, hasEnded } of readLines(chainPath(places, chain))) {
    const line = text === null || !hasEnded ? null : readLine(text);
    return line === null ? null : readOpening(line);
  }
  return null;
}

const NEW_LINE = 0x0a;
/** Far longer than any line of ours: a file without line breaks must not fill the memory. */
const LINE_BYTES_MAX = 1024 * 1024;

/** The bytes between two line breaks. */
export interface FoundLine {
  /** Null for bytes that are not UTF-8, or far too many. */
  readonly text: string | null;
  readonly sizeBytes: number;
  /** False for anything after the last line break. */
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

/** The lines of a file, unchanged. Memory: the longest line, at most a megabyte. @throws the disk's error */
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

/** The last acknowledged line of a chain; `seq` is 0 before the first. */
export type Head = Omit<Link, 'chain'>;

/** Half of a sector of a disk, which is written as a whole. */
const SLOT_BYTES = 256;
/** Written in turns: after a read or a power cut, one of them is always whole. */
const SLOTS = 2;

const Slot = z.strictObject({ seq: z.int().min(0), hash: z.string(), mac: z.string() });

const macOfHead = (key: Buffer, chain: string, { seq, hash }: Head): string =>
  macOf(key, 'head', canonicalJson({ chain, seq, hash }));

/**
 * The head of one chain, written after the lines are on disk and before they are acknowledged. It is not
 * synced: after a power cut it may be older than the chain, but never newer.
 */
export class HeadFile {
  #turn = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly chain: string,
    private readonly key: Buffer,
  ) {}

  /** Creates the file with the head of a chain that has no line yet. It appears whole or not at all. */
  static async create(path: string, chain: string, key: Buffer): Promise<HeadFile> {
    const draft = `${path}.tmp`;
    const head = new HeadFile(await open(draft, 'wx', 0o600), chain, key);
    try {
      for (let slot = 0; slot < SLOTS; slot += 1) await head.write({ seq: 0, hash: NO_HASH });
      await head.file.datasync();
      await rename(draft, path);
      return head;
    } catch (thrown) {
      await head.close().catch(() => undefined);
      await unlink(draft).catch(() => undefined);
      throw thrown;
    }
  }

  async write({ seq, hash }: Head): Promise<void> {
    const text = canonicalJson({ seq, hash, mac: macOfHead(this.key, this.chain, { seq, hash }) });
    const bytes = Buffer.from(`${text.padEnd(SLOT_BYTES - 1)}\n`);
    const at = (this.#turn % SLOTS) * SLOT_BYTES;
    this.#turn += 1;
    const { bytesWritten } = await this.file.write(bytes, 0, SLOT_BYTES, at);
    if (bytesWritten !== SLOT_BYTES) throw new Error(`only ${bytesWritten} bytes of the head were written`);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** The newest whole slot, and whether a slot is damaged. Null without a file. */
export interface FoundHead {
  readonly head: Head | null;
  readonly isDamaged: boolean;
}

/** If a server is writing a slot, it is done by the second read. */
const READS = 3;

/** @param key without it the MAC is not checked */
export async function readHead(path: string, chain: string, key: Buffer | null): Promise<FoundHead | null> {
  let found: FoundHead = { head: null, isDamaged: true };
  for (let read = 0; read < READS && found.isDamaged; read += 1) {
    const text = await readRegular(path, 'latin1').catch(undefinedIfMissing);
    if (text === undefined) return null;
    const slots = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].map((slot) =>
      readSlot(slot, chain, key),
    );
    const whole = slots.filter((slot) => slot !== null);
    const newest = whole.toSorted((one, other) => one.seq - other.seq).at(-1) ?? null;
    found = { head: newest, isDamaged: whole.length < SLOTS };
  }
  return found;
}

function readSlot(text: string, chain: string, key: Buffer | null): Head | null {
  try {
    const { mac, ...head } = Slot.parse(JSON.parse(text));
    return key === null || isSameMac(mac, macOfHead(key, chain, head)) ? head : null;
  } catch {
    return null;
  }
}

/**
 * Tells browsers the length of the ledger. They remember it where programs of the agent's user do not write,
 * so that cutting a ledger together with its heads shows. Lines written while a notice is pending share the
 * next one.
 */
export function tellGrown(
  bridge: Pick<Bridge, 'browsers' | 'request' | 'onChange'>,
  home: string,
): (end: ChainEnd) => void {
  let last: ChainEnd | null = null;
  let known: ChainEnd | null = null;
  let isTelling = false;
  const tellAll = async (): Promise<void> => {
    isTelling = true;
    while (last !== null && known !== last) {
      known = last;
      const params = { home, ...last };
      const connected = bridge.browsers().filter((browser) => browser.connected);
      // An extension of the previous build remembers nothing.
      await Promise.allSettled(
        connected.map(({ id }) => bridge.request(id, 'ledger.grown', params, { call: null })),
      );
    }
    isTelling = false;
  };
  const tell = (end: ChainEnd): void => {
    last = { ...end };
    if (!isTelling) void tellAll();
  };
  bridge.onChange((event) => {
    if (event === 'connected' && last !== null) tell(last);
  });
  return tell;
}
