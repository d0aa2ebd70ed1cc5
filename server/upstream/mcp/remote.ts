import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RemoteEntry } from '../config.ts';
import { MessageBytes, type Intake, type ReadMessage } from './intake.ts';

/** How a server at an address is reached. */
export function transportOf(
  { url, transport }: RemoteEntry,
  { headers, fetch }: { readonly headers: Record<string, string>; readonly fetch: typeof globalThis.fetch },
): Transport {
  const options = { requestInit: { headers }, fetch };
  return transport === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
}

/** Of the body of a failure: it is put into a message. */
const FAILURE_MAX_BYTES = 64 * 1_024;
const LINE_MAX_BYTES = 64 * 1_024;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
const DATA = 'data:';

/** `fetch` for the transports of the SDK, which parse each message whole and wait for answers that were cut off. */
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

/** Reads no more than was asked for. */
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
  if (type?.trim().toLowerCase() === 'application/json') return (body) => jsonOf(body, intake, asked);
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
async function* jsonOf(body: Body, intake: Intake, asked: unknown): Source {
  const bytes = new MessageBytes();
  for await (const chunk of body) {
    bytes.push(chunk);
    if (bytes.isTooLarge) break;
  }
  // Nobody waits for what is empty.
  yield Buffer.from(intake.read(bytes.take(), asked).text || '[]');
}

/**
 * Events (HTML Standard, 9.2.6) whose data are messages. Other lines pass as they are.
 *
 * @param asked the request that they answer, as it was sent
 */
export async function* eventsOf(body: Body, intake: Intake, asked: unknown): Source {
  const filter = new EventFilter(intake, asked);
  try {
    for await (const chunk of body) {
      for (const [start, end] of linesOf(chunk)) {
        filter.push(chunk.subarray(start, Math.abs(end)));
        const out = end < 0 ? null : filter.endLine(chunk[end]);
        if (out !== null) yield out;
      }
    }
    yield filter.lost() ?? Buffer.alloc(0);
  } catch (thrown) {
    const lost = filter.lost();
    if (lost === null) throw thrown;
    yield lost;
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
  readonly #asked: unknown;
  readonly #message = new MessageBytes();
  /** The line that is being read, unless it is data. */
  #line = Buffer.alloc(0);
  #isData = false;
  #hasData = false;
  #isAfterReturn = false;
  #hasId = false;
  #isResumable = false;
  #hasAnswer = false;

  constructor(intake: Intake, asked: unknown) {
    this.#intake = intake;
    this.#asked = asked;
  }

  /**
   * An event in the place of an answer that will not come: the client of the SDK would wait for it until its time is over.
   * Null where it has come, or where an event had an id: the client asks for what comes after that.
   */
  lost(): Uint8Array | null {
    const lost = this.#isResumable || this.#hasAnswer ? null : this.#intake.lost(this.#asked);
    return lost === null ? null : Buffer.from(`\n\n${eventOf(lost)}`);
  }

  /** Takes a part of a line. */
  push(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#isAfterReturn = false;
    if (this.#isData) return this.#message.push(part);
    const line = Buffer.concat([this.#line, part]);
    this.#line = line.subarray(0, LINE_MAX_BYTES);
    // One more byte shows whether a blank follows, which does not count.
    if (line.length <= DATA.length || line.toString('latin1', 0, DATA.length) !== DATA) return;
    this.#isData = true;
    this.#separate();
    this.#line = Buffer.alloc(0);
    this.#message.push(line.subarray(line[DATA.length] === 0x20 ? DATA.length + 1 : DATA.length));
  }

  /** Ends a line. Returns what passes. */
  endLine(by: number | undefined): Uint8Array | null {
    const isSecondHalf = by === LINE_FEED && this.#isAfterReturn;
    this.#isAfterReturn = by === CARRIAGE_RETURN;
    if (isSecondHalf) return null;
    const line = this.#line;
    this.#line = Buffer.alloc(0);
    const isEmptyData = ['data', DATA].includes(line.toString('latin1', 0, DATA.length + 1));
    if (isEmptyData) this.#separate();
    if (isEmptyData || this.#isData) {
      this.#isData = false;
      return null;
    }
    this.#hasId ||= /^id:? ?./.test(line.toString('utf8', 0, 8));
    if (line.length > 0) return Buffer.concat([line, Buffer.from('\n')]);
    return this.#dispatch();
  }

  /** Data of several lines are one text. */
  #separate(): void {
    if (this.#hasData) this.#message.push(Buffer.from('\n'));
    this.#hasData = true;
  }

  #dispatch(): Uint8Array {
    this.#isResumable = this.#hasId;
    if (!this.#hasData) return Buffer.from('\n');
    this.#hasData = false;
    const came = this.#message.take();
    const read = this.#intake.read(came, this.#hasAnswer ? undefined : this.#asked);
    this.#hasAnswer ||= read.isAnswer;
    return Buffer.from(came.bytes === null && read.message === null ? '\n' : eventOf(read));
  }
}

const eventOf = ({ text }: ReadMessage): string => `data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
