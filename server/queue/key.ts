import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidArgument } from '../../shared/base/errors.ts';
import { ensureKey } from '../core/machine/files.ts';
import { readIfGiven } from '../core/machine/given-file.ts';

/** Where a key is found. */
export interface KeyPlace {
  /** Default: `SPILLWAY_QUEUE_KEY`, or the one in `home`. */
  readonly queueKeyFile?: string | undefined;
  readonly home?: string | undefined;
}

/** The only use of a message: its direction, and the id of its job. */
type Use = readonly ['job' | 'answer', ...ids: string[]];

export const KEY_VARIABLE = 'SPILLWAY_QUEUE_KEY';
const KEY_FLAG = '--queue-key-file';
const KEY = /^[0-9a-f]{64}$/;
const KEY_FILE_BYTES = 1_024;
const MAC_BYTES = 32;
const NAME_BYTES = 8;
/** Of what is authenticated in one turn of the event loop. */
const SLICE_BYTES = 4 * 1_024 * 1_024;

const folderIn = (home: string): string => join(home, 'queue');

/**
 * The key that the home shares with its workers. Others may write to Redis, so each message proves who wrote it.
 * Neither Redis nor a log ever has it.
 */
export class QueueKey {
  /** Names the key, and says nothing about it. */
  readonly name: string;

  constructor(private readonly secret: Buffer) {
    this.name = createHmac('sha256', secret)
      .update('name')
      .digest('hex')
      .slice(0, 2 * NAME_BYTES);
  }

  /**
   * The key of this home or worker.
   * @throws SpillwayError `invalid_argument` for a missing file, one that is not private, and anything that is not a key
   */
  static read({ queueKeyFile, home }: KeyPlace): QueueKey {
    const given = process.env[KEY_VARIABLE] ?? '';
    const path = queueKeyFile ?? (home === undefined ? undefined : join(folderIn(home), 'key'));
    const isGiven = queueKeyFile === undefined && given !== '';
    const text = isGiven ? given : path && readIfGiven({ flag: KEY_FLAG, path, ...KEY_BOUNDS });
    const source = isGiven ? KEY_VARIABLE : KEY_FLAG;
    if (typeof text === 'string' && KEY.test(text.trim()))
      return new QueueKey(Buffer.from(text.trim(), 'hex'));
    const why = typeof text === 'string' ? 'has no key of a queue' : 'is missing';
    throw invalidArgument(
      isGiven
        ? `${source} has no key of a queue.`
        : `${source}: ${path ?? 'the file with the key of the queue'} ${why}.`,
      'Copy the file queue/key from the home of the server that has --queue, with mode 600.',
    );
  }

  /** The same at a home, which makes its key the first time. @throws SpillwayError as {@link read}, or the disk's error */
  static async ofHome(place: KeyPlace): Promise<QueueKey> {
    const { queueKeyFile, home } = place;
    if (queueKeyFile === undefined && home !== undefined && (process.env[KEY_VARIABLE] ?? '') === '') {
      mkdirSync(folderIn(home), { recursive: true, mode: 0o700 });
      await ensureKey(folderIn(home));
    }
    return QueueKey.read(place);
  }

  async mac(use: Use, bytes: Uint8Array): Promise<Buffer> {
    // JSON has no line break: where the use ends is certain.
    const hmac = createHmac('sha256', this.secret).update(`${JSON.stringify(use)}\n`);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      if (at > 0) await nextTurn();
      hmac.update(bytes.subarray(at, at + SLICE_BYTES));
    }
    return hmac.digest();
  }

  async isMac(mac: Uint8Array, use: Use, bytes: Uint8Array): Promise<boolean> {
    return mac.length === MAC_BYTES && timingSafeEqual(mac, await this.mac(use, bytes));
  }

  /** The bytes behind their MAC. */
  async seal(use: Use, bytes: Uint8Array): Promise<Buffer> {
    return Buffer.concat([await this.mac(use, bytes), bytes]);
  }

  /** The bytes that a holder of the key sealed for this use; null for any other. */
  async unseal(use: Use, sealed: Buffer): Promise<Buffer | null> {
    const bytes = sealed.subarray(MAC_BYTES);
    return (await this.isMac(sealed.subarray(0, MAC_BYTES), use, bytes)) ? bytes : null;
  }
}

const KEY_BOUNDS = {
  maxBytes: KEY_FILE_BYTES,
  isSecret: true,
  ifRead: 'if others may have read it, remove it from the home, which then makes another.',
} as const;
