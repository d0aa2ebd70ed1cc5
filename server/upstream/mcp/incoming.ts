import type { SpillwayError } from '../../../shared/errors.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { LargeAnswer, Spooled, type SpoolFile } from '../spool.ts';
import { ValueScanner } from './value-scanner.ts';

/** A message up to here is parsed as it came. */
export const SHORT_MESSAGE_BYTES = 4 * 1_024 * 1_024;

/** What is made of a message that is not short. */
export interface LongMessage {
  /** What is left of it as JSON; null for a message that is not JSON, or that belongs to nobody. */
  readonly text: string | null;
  readonly values: LargeAnswer;
  readonly sizeBytes: number;
  /** Why a part of it is missing. */
  readonly failure: SpillwayError | null;
}

/** Where the large values of a message go. */
export interface LargeValues {
  file(): SpoolFile;
  /** A text that no other program can guess. */
  placeholder(): string;
  tooLarge(): SpillwayError;
}

/** One message as it comes: whole while it is short, and without its large values from then on. */
export class Incoming {
  readonly #into: LargeValues;
  #parts: Uint8Array[] = [];
  #sizeBytes = 0;
  #long: Diversion | null = null;

  constructor(into: LargeValues) {
    this.#into = into;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Returns a promise when the source has to wait. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    if (chunk.length === 0) return undefined;
    this.#sizeBytes += chunk.length;
    if (this.#long !== null) return this.#long.push(chunk);
    this.#parts.push(chunk);
    return this.#sizeBytes > SHORT_MESSAGE_BYTES ? this.#divert() : undefined;
  }

  /** The bytes of a short message; null for a long one, which {@link long} has. Another message can come then. */
  short(): Buffer | null {
    if (this.#long !== null) return null;
    const [only, ...others] = this.#parts;
    this.#parts = [];
    this.#sizeBytes = 0;
    if (only === undefined) return Buffer.alloc(0);
    return others.length === 0
      ? Buffer.from(only.buffer, only.byteOffset, only.length)
      : Buffer.concat([only, ...others]);
  }

  /** A long message, whose large values are on disk. Another message can come then. */
  async long(): Promise<LongMessage | null> {
    const long = this.#long;
    const { sizeBytes } = this;
    this.#long = null;
    this.#sizeBytes = 0;
    return long === null ? null : { ...(await long.end()), sizeBytes };
  }

  /** Forgets what has come. */
  async drop(): Promise<void> {
    this.#parts = [];
    this.#sizeBytes = 0;
    const long = this.#long;
    this.#long = null;
    await long?.drop();
  }

  async #divert(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    const long = new Diversion(this.#into);
    this.#long = long;
    for (const part of parts) await long.push(part);
  }
}

/** A message on its way through the scanner. One that cannot be kept is read to its end: the connection stays. */
class Diversion {
  readonly #into: LargeValues;
  readonly #file: SpoolFile;
  readonly #values = new Map<string, Spooled>();
  readonly #scanner: ValueScanner;
  #failure: SpillwayError | null = null;
  #start = 0;
  #isJson = false;

  constructor(into: LargeValues) {
    this.#into = into;
    this.#file = into.file();
    this.#scanner = new ValueScanner({
      begin: (isJson) => {
        this.#isJson = isJson;
        this.#start = this.#file.sizeBytes;
      },
      write: (bytes) => this.#write(bytes),
      end: () => {
        const { sizeBytes: end } = this.#file;
        const placeholder = into.placeholder();
        this.#values.set(
          placeholder,
          new Spooled(this.#file, { start: this.#start, end, isJson: this.#isJson }),
        );
        return placeholder;
      },
    });
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#scanner.push(chunk);
    if (this.#file.isFull) await this.#flush();
    else this.#check();
  }

  async end(): Promise<Omit<LongMessage, 'sizeBytes'>> {
    await this.#flush();
    if (this.#failure !== null) await this.#file.remove();
    const values = new LargeAnswer(this.#file, this.#values);
    return { text: this.#scanner.end(), values, failure: this.#failure };
  }

  drop(): Promise<void> {
    return this.#file.remove();
  }

  #write(bytes: Uint8Array): void {
    if (this.#failure !== null) return;
    try {
      this.#file.append(bytes);
    } catch (thrown) {
      this.#failure = toSpillwayError(thrown);
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#file.flush();
    } catch (thrown) {
      this.#failure ??= toSpillwayError(thrown);
    }
    this.#check();
  }

  #check(): void {
    if (this.#scanner.isTooLarge) this.#failure ??= this.#into.tooLarge();
  }
}
