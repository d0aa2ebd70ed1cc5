import { SpillwayError } from '../../../shared/errors.ts';
import type { FromPage, Showing, ToPage } from '../../page/protocol.ts';
import type { PageChannel } from './channel.ts';
import type { PageChannels } from './channels.ts';
import type { ShownTo } from './ref-book.ts';

/** Which page is asked, and how long it may take. */
export interface Asking {
  readonly channels: PageChannels;
  readonly channel: PageChannel;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How messages name the page. */
  readonly name?: string;
  /** For a question whose answer may show refs: who is shown them. */
  readonly shownTo?: ShownTo;
}

type Answer<Type extends FromPage['type']> = Extract<FromPage, { readonly type: Type }>;

/**
 * Asks a page one question and takes its one answer.
 *
 * @param question the message with the id that it is given, and with numbers for refs if it may show some
 * @param type of the answer
 * @throws SpillwayError `page_unresponsive` at the deadline, `page_changed` when the page is gone, what the
 * page reports, or the signal's reason
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
