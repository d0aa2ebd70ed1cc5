import * as z from 'zod/mini';
import { cut } from '../../../shared/cut.ts';
import type { DebuggerEvent, DebuggerLease } from '../chromium/debugger/sessions.ts';

const ERRORS_KEPT = 3;
const TEXT_UNITS = 150;
/** What the browser keeps of the messages of a page, and some. */
const KEYS_KEPT = 2_000;

const Remote = z.object({ value: z.optional(z.unknown()), description: z.optional(z.string()) });
const Thrown = z.object({
  timestamp: z.number(),
  exceptionDetails: z.object({ text: z.string(), exception: z.optional(Remote) }),
});
const Called = z.object({ timestamp: z.number(), type: z.string(), args: z.array(Remote) });
const Logged = z.object({
  entry: z.object({
    timestamp: z.number(),
    level: z.string(),
    text: z.string(),
    url: z.optional(z.string()),
  }),
});

interface Message {
  readonly at: number;
  readonly text: string;
}

/** The errors that a tab's page reports during an act. */
export class ConsoleErrors {
  readonly #since = Date.now();
  readonly #texts: string[] = [];
  /** The browser reports a message again when another call has its domain report what it has recorded. */
  readonly #reported = new Set<string>();
  #count = 0;

  /** Ends listening: the lease outlives the act. */
  readonly stop: () => void;

  /** Begins to listen. What the browser has kept from before is left out. */
  constructor(lease: DebuggerLease) {
    this.stop = lease.onEvent((event) => this.#take(event));
    for (const domain of ['Runtime', 'Log']) lease.send(`${domain}.enable`).catch(() => undefined);
  }

  /** The first errors, and how many there were in all. */
  get lines(): readonly string[] {
    const more = this.#count - this.#texts.length;
    return more > 0 ? [...this.#texts, `${more} more errors`] : this.#texts;
  }

  #take({ method, params }: DebuggerEvent): void {
    const message = messageOf(method, params);
    if (message === null || message.at < this.#since) return;
    const key = `${message.at} ${message.text}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const [oldest] = this.#reported;
    if (this.#reported.size > KEYS_KEPT && oldest !== undefined) this.#reported.delete(oldest);
    this.#count += 1;
    if (this.#texts.length < ERRORS_KEPT) this.#texts.push(cut(message.text, TEXT_UNITS).toWellFormed());
  }
}

function messageOf(method: string, params: unknown): Message | null {
  switch (method) {
    case 'Runtime.exceptionThrown': {
      const { success, data } = Thrown.safeParse(params);
      if (!success) return null;
      const { text, exception } = data.exceptionDetails;
      return { at: data.timestamp, text: firstLine(exception?.description ?? text) };
    }
    case 'Runtime.consoleAPICalled': {
      const { success, data } = Called.safeParse(params);
      return success && data.type === 'error'
        ? { at: data.timestamp, text: firstLine(data.args.map(textOf).join(' ')) }
        : null;
    }
    case 'Log.entryAdded': {
      const { success, data } = Logged.safeParse(params);
      if (!success || data.entry.level !== 'error') return null;
      const { timestamp: at, text, url } = data.entry;
      if (url !== undefined && isIcon(url)) return null;
      return { at, text: url === undefined ? text : `${text} ${url}` };
    }
    default:
      return null;
  }
}

/** The browser asks for a site's icon on its own, whenever it likes: its absence is nothing that an act caused. */
const isIcon = (url: string): boolean => URL.canParse(url) && new URL(url).pathname === '/favicon.ico';

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

const textOf = ({ value, description }: z.infer<typeof Remote>): string =>
  typeof value === 'string' ? value : (description ?? JSON.stringify(value) ?? '');
