import type { BrowserFacts } from '../../shared/bridge/hello.ts';
import type { ServerPort } from './handler.ts';

/** The wire version since which servers answer requests. */
const ANSWERS_SINCE = 2;

interface BrowserNewsOptions {
  readonly facts: () => Promise<BrowserFacts>;
  /** Tells the host, if it takes that. */
  readonly tellHost: (facts: BrowserFacts) => void;
  readonly servers: () => readonly ServerPort[];
}

/** Tells host and servers how a person has named the browser: they know what the worker said when it connected. */
export class BrowserNews {
  readonly #options: BrowserNewsOptions;
  #isRenamed = false;

  constructor(options: BrowserNewsOptions) {
    this.#options = options;
  }

  /** A person has named the browser. */
  async changed(): Promise<void> {
    this.#isRenamed = true;
    const { facts, tellHost, servers } = this.#options;
    const now = await facts();
    tellHost(now);
    for (const server of servers()) tell(server, now);
  }

  /** A server may have been let in by the host before that heard of the name. */
  async opened(server: ServerPort): Promise<void> {
    if (this.#isRenamed) tell(server, await this.#options.facts());
  }
}

function tell({ wire, request }: ServerPort, { label }: BrowserFacts): void {
  if (wire < ANSWERS_SINCE) return;
  // A server of an older build does not take it, and one that leaves hears it when it is back.
  request('browser.named', { label }, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
}

const ANSWER_MS = 10_000;
