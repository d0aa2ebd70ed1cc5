import { defer, waitAtMost, onAbort } from '../../../shared/base/async.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { readMessage } from '../ports/read-message.ts';
import { FromParser, PARSER_PORT, type Source, type Step, type ToParser } from './parser-protocol.ts';
import type { PageError, ParsedFacts, Parts, TextPart } from './protocol.ts';
import { cutUrl } from '../../../shared/base/cut.ts';

/** Parsing time of any page, whatever its size. */
const BASE_MS = 10_000;
/** An ordinary page takes a tenth of it. */
const MS_PER_MIB = 1_000;

export const NO_FACTS: ParsedFacts = {
  title: '',
  canonical: null,
  robots: [],
  isShell: false,
  coverage: [],
  error: null,
};

/**
 * A page that is open in the parser's frame. If the frame was replaced because of another page, the page is reopened
 * and advanced to the same part. A page that uses up its own time ends with `page_too_complex`, and one whose step the
 * frame's process did not survive with `page_crashed`.
 */
export class RemotePage implements Parts {
  readonly #id: number;
  readonly #budgetMs: number;
  facts = NO_FACTS;
  /** Why the parser gave the page up, perhaps after some parts. */
  failure: PageError | null = null;
  #spentMs = 0;
  /** The part that came with the facts, until it is returned. */
  #first: FromParser | null = null;
  /** Parts returned. */
  #taken = 0;
  /** After the last part the parser has forgotten the page. */
  #isEnded = false;

  private constructor(
    private readonly parser: ParserFrame,
    private readonly source: Source,
    private readonly signal: AbortSignal,
  ) {
    this.#id = parser.nextId();
    this.#budgetMs = BASE_MS + (source.bytes.length / (1024 * 1024)) * MS_PER_MIB;
  }

  /**
   * Opens a page, and closes it when `signal` aborts, which must happen in every case.
   * @throws Error if the parser does not start or fails by a fault of ours, the signal's reason
   */
  static async open(parser: ParserFrame, source: Source, signal: AbortSignal): Promise<RemotePage> {
    const page = new RemotePage(parser, source, signal);
    onAbort(signal, () => page.close());
    await page.#open();
    return page;
  }

  /** Frees the parser's memory: {@link next} reopens the page if it needs it. */
  close(): void {
    if (!this.#isEnded) this.parser.close(this.#id);
  }

  async next(): Promise<TextPart> {
    for (let at = this.#taken; ;) {
      if (this.failure !== null) return { text: '', isLast: true };
      const answer = this.#first ?? (await this.#ask({ type: 'next', id: this.#id }));
      this.#first = null;
      if (answer?.type === 'unknown') {
        this.#spentMs = 0;
        await this.#open();
        at = 0;
      } else if (answer?.type === 'failed') throw new Error(answer.message);
      else if (answer !== null) {
        at += 1;
        if (at <= this.#taken) continue;
        this.#taken = at;
        this.#isEnded = answer.isLast;
        return answer;
      }
    }
  }

  async #open(): Promise<void> {
    const answer = await this.#ask({ type: 'open', id: this.#id, source: this.source });
    if (answer === null) return;
    if (answer.type !== 'opened')
      throw new Error(answer.type === 'failed' ? answer.message : `The parser answered ${answer.type}.`);
    this.facts = answer.facts;
    this.#first = answer;
  }

  /** The answer to a step; null if the parser gives the page up. */
  async #ask(step: Step): Promise<FromParser | null> {
    const { answer, tookMs } = await this.parser.ask(step, this.#budgetMs - this.#spentMs, this.signal);
    this.#spentMs += tookMs;
    if (answer !== 'late' && answer !== 'crashed') return answer;
    const url = cutUrl(this.source.url, 300);
    this.failure =
      answer === 'crashed'
        ? { code: 'page_crashed', message: `The parser crashed while it had ${url}.` }
        : {
            code: 'page_too_complex',
            message: `${url} was not parsed and read within ${Math.round(this.#budgetMs / 1_000)} s.`,
          };
    return null;
  }
}

const PARSER_PAGE = '/parser.html';
/** Time for the browser to start the frame's process. */
const OPEN_MS = 15_000;
/** An unused frame is closed after this time, and its process with it. */
const IDLE_MS = 60_000;

interface OpenFrame {
  readonly element: HTMLIFrameElement;
  readonly port: MessagePort;
}

/** The answer to a step, or the reason for its absence, and its duration. */
interface StepResult {
  readonly answer: FromParser | 'late' | 'crashed';
  readonly tookMs: number;
}

/**
 * The frame that parses pages. The manifest sandboxes it, so it runs in a separate process: a hanging one is removed,
 * which ends its process, and the next step opens another. There is only one, because all frames of that page share
 * their process.
 */
export class ParserFrame {
  #frame: OpenFrame | null = null;
  /** All pages share the frame's process, and take turns in it. */
  readonly #turns = new Queue(1);
  #lastId = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  nextId(): number {
    return (this.#lastId += 1);
  }

  /**
   * Requests one step, after earlier steps. A frame that does not answer within `timeoutMs`, or whose process ends, is
   * removed: its open pages are unknown to the next one.
   * @throws the signal's reason if it aborted before the step's turn
   */
  ask(step: Step, timeoutMs: number, signal: AbortSignal): Promise<StepResult> {
    return this.#turns.add(() => {
      signal.throwIfAborted();
      return this.#take(step, timeoutMs);
    });
  }

  /** The page is finished. */
  close(id: number): void {
    this.#post({ type: 'close', id });
  }

  async #take(step: Step, timeoutMs: number): Promise<StepResult> {
    clearTimeout(this.#idle);
    if (this.#frame !== null && hasCrashed(this.#frame)) this.#remove();
    this.#frame ??= await openFrame();
    if (this.#frame === null) return { answer: 'crashed', tookMs: 0 };
    const answered = nextAnswer(this.#frame, step.id, timeoutMs);
    const startedAt = performance.now();
    this.#post(step);
    const answer = await answered;
    if (answer === 'late' || answer === 'crashed') this.#remove();
    else this.#idle = setTimeout(() => this.#remove(), IDLE_MS);
    return { answer, tookMs: performance.now() - startedAt };
  }

  #post(message: ToParser): void {
    this.#frame?.port.postMessage(message);
  }

  #remove(): void {
    this.#frame?.port.close();
    this.#frame?.element.remove();
    this.#frame = null;
  }
}

/** How often a frame that owes an answer is looked at. */
const LOOK_MS = 200;

/** Nothing reports the end of a frame's process, but the frame within the parser's page goes with it. */
const hasCrashed = ({ element }: OpenFrame): boolean => element.contentWindow?.length !== 1;

async function nextAnswer(frame: OpenFrame, id: number, timeoutMs: number): Promise<StepResult['answer']> {
  const { promise, resolve } = defer<FromParser | 'crashed'>();
  frame.port.onmessage = ({ data }) => {
    const received = readMessage(PARSER_PORT, FromParser, data);
    if (received?.id !== id) return;
    resolve(received.message ?? { type: 'failed', id, message: 'The answer is malformed.' });
  };
  const looking = setInterval(() => hasCrashed(frame) && resolve('crashed'), LOOK_MS);
  const answer = await waitAtMost(promise, timeoutMs);
  clearInterval(looking);
  return answer ?? 'late';
}

/** Null if it does not load. */
async function openFrame(): Promise<OpenFrame | null> {
  const element = document.createElement('iframe');
  // As the manifest does on Chromium, where the frame also gets a process of its own.
  element.setAttribute('sandbox', 'allow-scripts');
  element.src = PARSER_PAGE;
  const loaded = new Promise<true>((resolve) =>
    element.addEventListener('load', () => resolve(true), { once: true }),
  );
  document.body.append(element);
  if ((await waitAtMost(loaded, OPEN_MS)) === undefined || element.contentWindow === null) {
    element.remove();
    return null;
  }
  const { port1: port, port2 } = new MessageChannel();
  // A sandboxed page has no origin to name.
  element.contentWindow.postMessage('port', '*', [port2]);
  return { element, port };
}
