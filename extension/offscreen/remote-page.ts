import { onAbort } from '../../shared/async.ts';
import { cutUrl } from '../../shared/cut.ts';
import type { ParserFrame } from './parser-frame.ts';
import type { FromParser, ParsedFacts, Source, Step } from './parser-protocol.ts';
import type { PageError, Parts, TextPart } from './protocol.ts';

/** Parsing time of any page, whatever its size. */
const BASE_MS = 10_000;
/** An ordinary page takes a tenth of it. */
const MS_PER_MIB = 1_000;

const NO_FACTS: Omit<ParsedFacts, 'error'> = {
  title: '',
  canonical: null,
  robots: [],
  isShell: false,
  coverage: [],
};

/** The parser's methods that its pages use. */
type Parser = Pick<ParserFrame, 'nextId' | 'ask' | 'close'>;

/**
 * A page that is open in the parser's frame. If the frame was replaced because of another page, the page is reopened
 * and advanced to the same part. A page that uses up its own time ends with `page_too_complex`.
 */
export class RemotePage implements Parts {
  readonly #id: number;
  readonly #budgetMs: number;
  #facts: ParsedFacts = { ...NO_FACTS, error: null };
  #spentMs = 0;
  /** The part that came with the facts, until it is returned. */
  #first: FromParser | null = null;
  /** Parts returned. */
  #taken = 0;
  /** After the last part the parser has forgotten the page. */
  #isEnded = false;

  private constructor(
    private readonly parser: Parser,
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
  static async open(parser: Parser, source: Source, signal: AbortSignal): Promise<RemotePage> {
    const page = new RemotePage(parser, source, signal);
    onAbort(signal, () => {
      if (!page.#isEnded) parser.close(page.#id);
    });
    await page.#open();
    return page;
  }

  /** An error may come with a later part. */
  get facts(): ParsedFacts {
    return this.#facts;
  }

  async next(): Promise<TextPart> {
    for (let at = this.#taken; ;) {
      if (this.#facts.error?.code === 'page_too_complex') return { text: '', isLast: true };
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
    this.#facts = answer.facts;
    this.#first = answer;
  }

  /** The answer to a step; null if the page's time is up. */
  async #ask(step: Step): Promise<FromParser | null> {
    const { answer, tookMs } = await this.parser.ask(step, this.#budgetMs - this.#spentMs, this.signal);
    this.#spentMs += tookMs;
    if (answer === null) this.#facts = { ...this.#facts, error: this.#lateness() };
    return answer;
  }

  #lateness(): PageError {
    const url = cutUrl(this.source.url, 300);
    return {
      code: 'page_too_complex',
      message: `${url} was not parsed and read within ${Math.round(this.#budgetMs / 1_000)} s.`,
    };
  }
}
