import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { GrowingBytes } from '../growing-bytes.ts';
import { Incoming } from './incoming.ts';
import { isAnswer, type Intake } from './intake.ts';

/** Of the body of a failure: it is put into a message. */
const FAILURE_MAX_BYTES = 64 * 1_024;
/** Of a line of an event stream that has another field than data. */
const LINE_MAX_BYTES = 64 * 1_024;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
const DATA = 'data:';

/** `fetch` for the transports of the SDK, which parse each message whole: large values are taken out of what they read. */
export const fetchWithIntake =
  (intake: Intake, send: typeof fetch = fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init);
    const { body, status, statusText, headers } = response;
    const read = body === null ? null : readerFor(response, intake, init?.body);
    if (body === null || read === null) return response;
    return new Response(streamOf(read(body)), { status, statusText, headers });
  };

type Body = AsyncIterable<Uint8Array>;
type Source = AsyncGenerator<Uint8Array, void>;

/** Reads no more than was asked for: the other end waits while a value goes to the disk. */
function streamOf(source: Source): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await source.return()),
    },
    { highWaterMark: 0 },
  );
}

function readerFor(
  { status, headers }: Response,
  intake: Intake,
  asked: unknown,
): ((body: Body) => Source) | null {
  if (status >= 400) return startOf;
  const [type] = (headers.get('content-type') ?? '').split(';');
  if (type?.trim().toLowerCase() === 'application/json') return (body) => jsonOf(body, intake);
  if (type?.trim().toLowerCase() === 'text/event-stream') return (body) => eventsOf(body, intake, asked);
  return null;
}

async function* startOf(body: Body): Source {
  let left = FAILURE_MAX_BYTES;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** A body that is one message. */
async function* jsonOf(body: Body, intake: Intake): Source {
  const message = new Incoming(intake);
  try {
    for await (const chunk of body) await message.push(chunk);
    // Nobody waits for what is null.
    const short = message.short();
    yield short === null
      ? written((await settled(message, intake)) ?? [])
      : Buffer.from(intake.readableText(short.toString('utf8')).text);
  } finally {
    await message.drop();
  }
}

const written = (value: JsonValue): Buffer => Buffer.from(JSON.stringify(value));

/** @throws SpillwayError `upstream_error` for a message of which nothing can be said */
async function settled(message: Incoming, intake: Intake): Promise<JsonValue> {
  const long = await message.long();
  if (long === null) return null;
  const value = await intake.settle(long);
  if (long.text === null)
    throw long.failure ?? new SpillwayError('upstream_error', 'Its answer is not JSON.');
  return value;
}

/**
 * Events (HTML Standard, 9.2.6) whose data are messages. Other lines pass as they are.
 *
 * @param asked the request that they answer, as it was sent
 */
export async function* eventsOf(body: Body, intake: Intake, asked: unknown): Source {
  const filter = new EventFilter(intake);
  try {
    for await (const chunk of body) {
      for (const [start, end] of linesOf(chunk)) {
        await filter.push(chunk.subarray(start, Math.abs(end)));
        const out = end < 0 ? null : await filter.endLine(chunk[end]);
        if (out !== null) yield out;
      }
    }
    yield filter.lost(asked) ?? Buffer.alloc(0);
  } catch (thrown) {
    const lost = filter.lost(asked);
    if (lost === null) throw thrown;
    yield lost;
  } finally {
    await filter.drop();
  }
}

/** Where the lines of a chunk are; a negative end is the end of the chunk, and not of its line. */
function* linesOf(chunk: Uint8Array): Generator<readonly [number, number]> {
  let start = 0;
  let feed = -1;
  let carriage = -1;
  for (;;) {
    if (feed < start) feed = next(chunk, LINE_FEED, start);
    if (carriage < start) carriage = next(chunk, CARRIAGE_RETURN, start);
    const end = Math.min(feed, carriage);
    if (end === chunk.length) break;
    yield [start, end];
    start = end + 1;
  }
  if (start < chunk.length) yield [start, -chunk.length];
}

function next(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

class EventFilter {
  readonly #intake: Intake;
  readonly #message: Incoming;
  /** The line that is being read, unless it is data. */
  readonly #line = new GrowingBytes();
  #isData = false;
  #hasData = false;
  #isAfterReturn = false;
  #hasId = false;
  #isResumable = false;
  #hasAnswer = false;

  constructor(intake: Intake) {
    this.#intake = intake;
    this.#message = new Incoming(intake);
  }

  /**
   * An event in the place of an answer that will not come: the client of the SDK would wait for it until its time is over.
   * Null where it has come, or where an event had an id: the client asks for what comes after that.
   */
  lost(asked: unknown): Uint8Array | null {
    const lost = this.#isResumable || this.#hasAnswer ? null : this.#intake.lost(asked);
    return lost === null ? null : Buffer.from(`\n\ndata: ${JSON.stringify(lost)}\n\n`);
  }

  /** Takes a part of a line. */
  async push(part: Uint8Array): Promise<void> {
    if (part.length === 0) return;
    this.#isAfterReturn = false;
    if (this.#isData) return this.#message.push(part);
    // One more byte shows whether a blank follows, which does not count.
    const head = part.subarray(0, Math.max(0, DATA.length + 1 - this.#line.length));
    this.#line.append(head);
    const rest = part.subarray(head.length);
    if (this.#line.length > DATA.length && this.#line.text(0, DATA.length) === DATA) {
      await this.#begin();
      await this.#message.push(rest);
    } else this.#line.append(rest.subarray(0, LINE_MAX_BYTES - this.#line.length));
  }

  /** Ends a line. Returns what passes. */
  async endLine(by: number | undefined): Promise<Uint8Array | null> {
    const isSecondHalf = by === LINE_FEED && this.#isAfterReturn;
    this.#isAfterReturn = by === CARRIAGE_RETURN;
    if (isSecondHalf) return null;
    const line = this.#line.takeFrom(0);
    if (this.#isData || line.toString() === 'data' || line.toString() === DATA) {
      if (!this.#isData) await this.#separate();
      this.#isData = false;
      return null;
    }
    this.#hasId ||= /^id:? ?./.test(line.toString('utf8', 0, 8));
    if (line.length > 0) return Buffer.concat([line, Buffer.from('\n')]);
    return this.#dispatch();
  }

  drop(): Promise<void> {
    return this.#message.drop();
  }

  async #begin(): Promise<void> {
    this.#isData = true;
    await this.#separate();
    const value = this.#line.takeFrom(DATA.length);
    this.#line.clear();
    await this.#message.push(value[0] === 0x20 ? value.subarray(1) : value);
  }

  /** Data of several lines are one text. */
  async #separate(): Promise<void> {
    if (this.#hasData) await this.#message.push(Buffer.from('\n'));
    this.#hasData = true;
  }

  async #dispatch(): Promise<Uint8Array> {
    this.#isResumable = this.#hasId;
    if (!this.#hasData) return Buffer.from('\n');
    this.#hasData = false;
    const short = this.#message.short();
    const { text, isAnswer: answers } =
      short === null ? await this.#long() : this.#intake.readableText(short.toString('utf8'));
    this.#hasAnswer ||= answers;
    return Buffer.from(text === 'null' ? '\n' : `data: ${text.replaceAll('\n', '\ndata: ')}\n\n`);
  }

  async #long() {
    const value = await settled(this.#message, this.#intake);
    return { text: JSON.stringify(value), isAnswer: isAnswer(value) };
  }
}
