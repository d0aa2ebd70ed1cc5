import { GrowingBytes } from '../growing-bytes.ts';
import { JsonTextDecoder } from './json-text.ts';

/** How much of a message is parsed. */
export interface ScanBounds {
  /** A string that is longer, and such a `structuredContent`, is taken out. */
  readonly longBytes: number;
  /** Chunks are looked at in steps of this size, so that what is kept never grows by a whole large chunk. */
  readonly stepBytes: number;
  /** Without what is taken out. */
  readonly keptMaxBytes: number;
  readonly depthMax: number;
}

const BOUNDS: ScanBounds = {
  longBytes: 64 * 1_024,
  stepBytes: 64 * 1_024,
  keptMaxBytes: 32 * 1_024 * 1_024,
  depthMax: 1_000,
};
/** Of what is left of a message that is too large: enough to say whose answer it was. */
const REST_MAX_BYTES = 64 * 1_024;
const KEY_MAX_BYTES = 100;

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  34, 92, 44, 58, 91, 93, 123, 125,
];
const NULL = Buffer.from('null');

/** Takes large values away. */
export interface ValueSink {
  begin(isJson: boolean): void;
  write(bytes: Uint8Array): void;
  /** Returns the text that stands for the value. */
  end(): string;
}

/**
 * `keep`: goes into what is parsed. `text`: inside a long string. `json`: inside a large `structuredContent`. `rest`: the
 * message is too large; of it only the outermost members are kept.
 */
type Mode = 'keep' | 'text' | 'json' | 'rest';

/**
 * Reads the bytes of one JSON message as they come, and takes long strings and a large `result.structuredContent` out of it. What
 * is left is short enough to be parsed, with a short text in the place of each. Names of members stay where they are.
 */
export class ValueScanner {
  readonly #sink: ValueSink;
  readonly #bounds: ScanBounds;
  readonly #kept = new GrowingBytes();
  #mode: Mode = 'keep';
  #isHopeless = false;
  #isTooLarge = false;
  /** Of the containers that are open: true for an object. */
  readonly #levels: boolean[] = [];
  /** Containers that are open within a value of which only the end counts. */
  #skipped = 0;
  #isInText = false;
  #isEscaped = false;
  #isKey = false;
  #isKeyNext = false;
  /** Where the string that is being read begins in what is kept. */
  #textStart = 0;
  #decoder: JsonTextDecoder | null = null;
  /** Names of the members that are being read, of the two outermost levels. */
  readonly #names: [string, string] = ['', ''];
  /** Where the value of an outermost member begins in what is kept. */
  #memberStart = 0;
  /** The same of a `structuredContent`; -1 outside of one. */
  #structuredStart = -1;
  #isBroken = false;

  constructor(sink: ValueSink, bounds = BOUNDS) {
    this.#sink = sink;
    this.#bounds = bounds;
  }

  /** It has too many values, or is nested too deeply. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** Takes a chunk. */
  push(chunk: Uint8Array): void {
    const { stepBytes } = this.#bounds;
    for (let at = 0; at < chunk.length; at += stepBytes) this.#step(chunk.subarray(at, at + stepBytes));
  }

  /** Takes nothing more away, and keeps only who the message is for. */
  #giveUp(): void {
    if (this.#isTooLarge) return;
    this.#isTooLarge = true;
    this.#mode = 'rest';
    this.#isHopeless = this.#levels.length < 2 || this.#levels[0] !== true;
    if (this.#isHopeless) return this.#kept.clear();
    this.#kept.takeFrom(this.#memberStart);
    this.#kept.append(NULL);
    this.#skipped += this.#levels.length - 1;
    this.#levels.length = 1;
  }

  /** What is left of the message, once it has come; null for anything that is not JSON. */
  end(): string | null {
    if (this.#isHopeless || this.#isBroken || this.#isInText || this.#levels.length > 0) return null;
    return this.#kept.text(0, this.#kept.length);
  }

  #step(chunk: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) from = this.#closeText(chunk, from, at);
      } else if (byte === QUOTE) {
        this.#isInText = true;
        this.#isKey = this.#isKeyNext;
        this.#textStart = this.#kept.length + at - from;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST)
        from = this.#open(chunk, { from, at, isObject: byte === OPEN_OBJECT });
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) from = this.#close(chunk, from, at);
      else if (byte === COMMA) this.#isKeyNext = this.#levels.at(-1) === true;
      else if (byte === COLON) this.#isKeyNext = false;
    }
    this.#take(chunk.subarray(from));
    this.#divert();
  }

  /** Bytes go where the mode says. */
  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#mode === 'json') this.#sink.write(bytes);
    else if (this.#mode === 'text') this.#sink.write(this.#decoder?.push(bytes) ?? bytes);
    else if (this.#mode === 'keep' || (this.#skipped === 0 && !this.#isHopeless)) this.#kept.append(bytes);
  }

  /** Looks at the end of a step whether what is being read has become too long to be kept. */
  #divert(): void {
    if (this.#mode === 'rest') {
      if (this.#kept.length <= REST_MAX_BYTES) return;
      this.#isHopeless = true;
      this.#kept.clear();
      return;
    }
    if (this.#mode !== 'keep') return;
    if (this.#structuredStart !== -1) {
      if (this.#kept.length - this.#structuredStart > this.#bounds.longBytes) this.#divertStructured();
    } else if (this.#isInText && !this.#isKey && this.#kept.length - this.#textStart > this.#bounds.longBytes)
      this.#divertText();
    if (this.#kept.length > this.#bounds.keptMaxBytes) this.#giveUp();
  }

  #divertStructured(): void {
    this.#sink.begin(true);
    this.#sink.write(this.#kept.takeFrom(this.#structuredStart));
    this.#structuredStart = -1;
    this.#mode = 'json';
    // Only how deep it is counts from here on.
    this.#skipped = this.#levels.length - 2;
    this.#levels.length = 2;
  }

  #divertText(): void {
    const taken = this.#kept.takeFrom(this.#textStart);
    this.#decoder = new JsonTextDecoder();
    this.#sink.begin(false);
    this.#sink.write(this.#decoder.push(taken.subarray(1)));
    this.#mode = 'text';
  }

  #closeText(chunk: Uint8Array, from: number, at: number): number {
    this.#isInText = false;
    if (this.#mode === 'text') {
      this.#take(chunk.subarray(from, at));
      this.#sink.write(this.#decoder?.end() ?? chunk.subarray(0, 0));
      if (this.#decoder?.isBroken === true) this.#isBroken = true;
      this.#decoder = null;
      this.#replace();
      return at + 1;
    }
    const level = this.#levels.length - 1;
    if (!this.#isKey || this.#mode !== 'keep' || level > 1) return from;
    this.#take(chunk.subarray(from, at + 1));
    const { length } = this.#kept;
    const isName = length - this.#textStart <= KEY_MAX_BYTES;
    this.#names[level === 0 ? 0 : 1] = isName ? nameOf(this.#kept.text(this.#textStart, length)) : '';
    return at + 1;
  }

  #open(chunk: Uint8Array, { from, at, isObject }: { from: number; at: number; isObject: boolean }): number {
    if (this.#isHopeless) return from;
    const depth = this.#levels.length;
    const isDeep = this.#mode === 'keep' && depth >= this.#bounds.depthMax;
    if (isDeep) this.#take(chunk.subarray(from, at));
    if (isDeep) this.#giveUp();
    if (this.#skipped > 0) {
      this.#skipped += 1;
      return from;
    }
    if (this.#mode === 'rest') {
      this.#take(chunk.subarray(from, at));
      this.#kept.append(NULL);
      this.#skipped = 1;
      return at;
    }
    const start = this.#kept.length + at - from;
    if (depth === 1) this.#memberStart = start;
    if (depth === 2 && this.#names.join('.') === 'result.structuredContent' && this.#isMessage())
      this.#structuredStart = start;
    if (depth < 2) this.#names[depth === 0 ? 0 : 1] = '';
    this.#levels.push(isObject);
    this.#isKeyNext = isObject;
    return from;
  }

  /** Whether the two outermost levels are objects. */
  #isMessage(): boolean {
    const [outer, inner] = this.#levels;
    return outer === true && inner === true;
  }

  #close(chunk: Uint8Array, from: number, at: number): number {
    if (this.#isHopeless) return from;
    this.#isKeyNext = false;
    if (this.#mode === 'keep' && this.#levels.length === 2) {
      this.#take(chunk.subarray(from, at));
      if (this.#kept.length > this.#bounds.keptMaxBytes) this.#giveUp();
      else from = at;
    }
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      if (this.#skipped > 0) return from;
      if (this.#mode !== 'json') return at + 1;
      this.#take(chunk.subarray(from, at + 1));
      this.#replace();
      return at + 1;
    }
    if (this.#levels.pop() === undefined) this.#isBroken = true;
    if (this.#levels.length === 2) this.#structuredStart = -1;
    return from;
  }

  #replace(): void {
    this.#mode = 'keep';
    this.#kept.append(Buffer.from(JSON.stringify(this.#sink.end())));
  }
}

function nameOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return '';
  }
}
