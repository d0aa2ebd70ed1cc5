import { SpillwayError } from '../../../shared/errors.ts';
import type { FromPage, Showing, ToPage } from '../../page/protocol.ts';
import type { PageChannel, PageChannels } from './channels.ts';
import type { ShownTo } from './ref-book.ts';
import { castTab } from '../chromium/debugger/cast.ts';
import type { DebuggerLease, DebuggerSessions } from '../chromium/debugger/sessions.ts';

interface Asking {
  readonly channels: PageChannels;
  readonly channel: PageChannel;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly name?: string;
  /** For a question whose answer may show refs: the session that sees them. */
  readonly shownTo?: ShownTo;
}

type Answer<Type extends FromPage['type']> = Extract<FromPage, { readonly type: Type }>;

/**
 * Asks a page one question and returns its answer.
 * @param question the message with its id, and with numbers for refs if it may show some
 * @param type of the answer
 * @throws SpillwayError `page_unresponsive` at the deadline, `page_changed` if the page is gone, the page's error, or
 * the signal's reason
 */
export async function askPage<Type extends FromPage['type']>(
  { channels, channel, timeoutMs, signal, name = 'The page', shownTo }: Asking,
  question: (id: number, showing: Showing | null) => ToPage,
  type: Type,
): Promise<Answer<Type>> {
  const loan = shownTo === undefined ? null : await shownTo.book.lendFew(channel, shownTo);
  const id = channels.nextId();
  channel.open(id, loan);
  try {
    channel.post(question(id, loan?.showing ?? null));
    const message = `${name} did not answer within ${timeoutMs} ms.`;
    const answer: FromPage = await channel.receive(id, {
      timeoutMs,
      signal,
      code: 'page_unresponsive',
      message,
    });
    await loan?.stored;
    if (isOfType(answer, type)) return answer;
    throw new SpillwayError('internal_error', `The page answered ${answer.type} instead of ${type}.`);
  } finally {
    channel.release(id);
  }
}

const isOfType = <Type extends FromPage['type']>(message: FromPage, type: Type): message is Answer<Type> =>
  message.type === type;

const LINGER_MS = 3_000;

interface Held {
  readonly lease: DebuggerLease;
  /** Without a cast, Chromium draws a hidden tab with focus emulation once a second after a few changes. */
  stopCast: () => Promise<void>;
  /** Calls that currently need it. */
  users: number;
  timer: ReturnType<typeof setTimeout> | null;
}

/**
 * Keeps focus emulation over several calls on a tab. A page that loads more as it is scrolled would miss events if it
 * fell asleep between two calls, and a person would see the banner flicker.
 */
export class FocusEmulation {
  readonly #held = new Map<number, Held>();

  constructor(private readonly debuggers: DebuggerSessions) {}

  /**
   * Focuses a tab until the returned function is called, and a little longer.
   * @throws SpillwayError of a refused attachment: see `DebuggerSessions.acquire`
   */
  async acquire(tabId: number, signal: AbortSignal): Promise<() => void> {
    const known = this.#held.get(tabId);
    const held =
      known !== undefined && !known.lease.signal.aborted ? known : await this.#attach(tabId, signal);
    held.users += 1;
    if (held.timer !== null) clearTimeout(held.timer);
    held.timer = null;
    return () => {
      held.users -= 1;
      if (held.users === 0) held.timer = setTimeout(() => this.#release(tabId, held), LINGER_MS);
    };
  }

  async #attach(tabId: number, signal: AbortSignal): Promise<Held> {
    const lease = await this.debuggers.acquire(tabId, signal);
    const held: Held = { lease, stopCast: () => Promise.resolve(), users: 0, timer: null };
    this.#held.set(tabId, held);
    // A page that cannot be cast is only drawn more slowly.
    await castTab(lease)
      .then((stop) => (held.stopCast = stop))
      .catch(() => undefined);
    return held;
  }

  #release(tabId: number, held: Held): void {
    if (held.users > 0) return;
    if (this.#held.get(tabId) === held) this.#held.delete(tabId);
    void held.stopCast().then(() => held.lease.release());
  }
}
