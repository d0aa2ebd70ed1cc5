import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { isMissing } from '../machine/errno.ts';
import { readRegular } from '../machine/regular-file.ts';
import { canonicalJson } from '../../shared/json.ts';
import { isSameMac, macOf, NO_HASH } from './lines.ts';
import type { ChainEnd } from '../../shared/policy/question-methods.ts';
import type { Bridge } from '../core/services.ts';

/** The last line of a chain that was acknowledged; `seq` is 0 before the first. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Half of a sector of a disk, which is written as a whole. */
const SLOT_BYTES = 256;
/** Written in turns: a reader, or a power cut, always leaves one of them whole. */
const SLOTS = 2;

const Slot = z.strictObject({ seq: z.int().min(0), hash: z.string(), mac: z.string() });

const macOfHead = (key: Buffer, chain: string, { seq, hash }: Head): string =>
  macOf(key, 'head', canonicalJson({ chain, seq, hash }));

/**
 * The head of one chain, written after the lines are on the disk and before they are acknowledged. It
 * is not synced: after a power cut it may be older than the chain, and is never newer.
 */
export class HeadFile {
  readonly #file: FileHandle;
  readonly #chain: string;
  readonly #key: Buffer;
  #turn = 0;

  private constructor(file: FileHandle, chain: string, key: Buffer) {
    this.#file = file;
    this.#chain = chain;
    this.#key = key;
  }

  /** Makes the file with the head of a chain that has no line yet. It appears whole or not at all. */
  static async create(path: string, chain: string, key: Buffer): Promise<HeadFile> {
    const draft = `${path}.tmp`;
    const head = new HeadFile(await open(draft, 'wx', 0o600), chain, key);
    try {
      for (let slot = 0; slot < SLOTS; slot += 1) await head.write({ seq: 0, hash: NO_HASH });
      await head.#file.datasync();
      await rename(draft, path);
      return head;
    } catch (thrown) {
      await head.close().catch(() => undefined);
      await unlink(draft).catch(() => undefined);
      throw thrown;
    }
  }

  async write({ seq, hash }: Head): Promise<void> {
    const text = canonicalJson({ seq, hash, mac: macOfHead(this.#key, this.#chain, { seq, hash }) });
    const bytes = Buffer.from(`${text.padEnd(SLOT_BYTES - 1)}\n`);
    const at = (this.#turn % SLOTS) * SLOT_BYTES;
    this.#turn += 1;
    const { bytesWritten } = await this.#file.write(bytes, 0, SLOT_BYTES, at);
    if (bytesWritten !== SLOT_BYTES) throw new Error(`only ${bytesWritten} bytes of the head were written`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** What a head file says: its newest whole slot, and whether a slot is damaged. Null where there is no file. */
export interface FoundHead {
  readonly head: Head | null;
  readonly isDamaged: boolean;
}

/** A server that is writing a slot is done when it is read again. */
const READS = 3;

/** @param key without it the MAC is not checked */
export async function readHead(path: string, chain: string, key: Buffer | null): Promise<FoundHead | null> {
  let found: FoundHead = { head: null, isDamaged: true };
  for (let read = 0; read < READS && found.isDamaged; read += 1) {
    const text = await readRegular(path, 'latin1').catch((thrown: unknown) => {
      if (isMissing(thrown)) return null;
      throw thrown;
    });
    if (text === null) return null;
    const slots = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].map((slot) =>
      readSlot(slot, chain, key),
    );
    const whole = slots.filter((slot) => slot !== null);
    const newest = whole.reduce<Head | null>(
      (best, slot) => (slot.seq >= (best?.seq ?? 0) ? slot : best),
      null,
    );
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
 * Tells browsers how long the ledger is. They remember it where a program of the agent's user does not write, so that a
 * ledger that was cut together with its heads shows. Lines that are written while a notice is pending share the next one.
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
      // An extension of the build before remembers nothing.
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
