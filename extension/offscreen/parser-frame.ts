import { waitAtMost } from '../../shared/async.ts';
import { readMessage } from '../ports/read-message.ts';
import { FromParser, PARSER_PORT, type Step, type ToParser } from './parser-protocol.ts';

const PARSER_PAGE = '/parser.html';
/** Time for the browser to start the frame's process. */
const OPEN_MS = 15_000;
/** An unused frame is closed after this time, and its process with it. */
const IDLE_MS = 60_000;

interface OpenFrame {
  readonly element: HTMLIFrameElement;
  readonly port: MessagePort;
}

/** The answer to a step, null if it did not come in time, and its duration. */
export interface StepResult {
  readonly answer: FromParser | null;
  readonly tookMs: number;
}

/**
 * The frame that parses pages. The manifest sandboxes it, so it runs in a separate process: a hanging one is removed,
 * which ends its process, and the next step opens another. There is only one, because all frames of that page share
 * their process.
 */
export class ParserFrame {
  #frame: OpenFrame | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /**
   * Requests one step, after earlier steps. A frame that does not answer within `timeoutMs` is removed: its open pages
   * are unknown to the next one.
   * @throws the signal's reason if it aborted before the step's turn
   */
  ask(step: Step, timeoutMs: number, signal: AbortSignal): Promise<StepResult> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#take(step, timeoutMs);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** The page is finished. */
  close(id: number): void {
    this.#post({ type: 'close', id });
  }

  async #take(step: Step, timeoutMs: number): Promise<StepResult> {
    clearTimeout(this.#idle);
    this.#frame ??= await openFrame();
    const answered = nextAnswer(this.#frame.port, step.id);
    const startedAt = performance.now();
    this.#post(step);
    const answer = (await waitAtMost(answered, timeoutMs)) ?? null;
    if (answer === null) this.#remove();
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

function nextAnswer(port: MessagePort, id: number): Promise<FromParser> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => {
      const received = readMessage(PARSER_PORT, FromParser, data);
      if (received?.id !== id) return;
      resolve(received.message ?? { type: 'failed', id, message: 'The answer is malformed.' });
    };
  });
}

/** @throws Error if the frame does not load */
async function openFrame(): Promise<OpenFrame> {
  const element = document.createElement('iframe');
  element.src = PARSER_PAGE;
  const loaded = new Promise<true>((resolve) =>
    element.addEventListener('load', () => resolve(true), { once: true }),
  );
  document.body.append(element);
  if ((await waitAtMost(loaded, OPEN_MS)) === undefined || element.contentWindow === null) {
    element.remove();
    throw new Error('The parser did not start.');
  }
  const { port1: port, port2 } = new MessageChannel();
  // A sandboxed page has no origin to name.
  element.contentWindow.postMessage('port', '*', [port2]);
  return { element, port };
}
