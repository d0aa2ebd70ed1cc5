import { SpillwayError } from '../../../shared/errors.ts';
import type { FromPage, ToPage } from '../../page/protocol.ts';
import type { PageChannel } from './channel.ts';
import type { PageChannels } from './channels.ts';

/** Which page is asked, and how long it may take. */
export interface Asking {
  readonly channels: PageChannels;
  readonly channel: PageChannel;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How messages name the page. */
  readonly name?: string;
}

type Answer<Type extends FromPage['type']> = Extract<FromPage, { readonly type: Type }>;

/**
 * Asks a page one question and takes its one answer.
 *
 * @param question the message with the id that it is given
 * @param type of the answer
 * @throws SpillwayError `page_unresponsive` at the deadline, `page_changed` when the page is gone, what the
 * page reports, or the signal's reason
 */
export async function askPage<Type extends FromPage['type']>(
  { channels, channel, timeoutMs, signal, name = 'The page' }: Asking,
  question: (id: number) => ToPage,
  type: Type,
): Promise<Answer<Type>> {
  const id = channels.nextId();
  channel.open(id);
  try {
    channel.post(question(id));
    const message = `${name} did not answer within ${timeoutMs} ms.`;
    const answer: FromPage = await channel.receive(id, {
      timeoutMs,
      signal,
      code: 'page_unresponsive',
      message,
    });
    if (isOfType(answer, type)) return answer;
    throw new SpillwayError('internal_error', `The page answered ${answer.type} instead of ${type}.`);
  } finally {
    channel.release(id);
  }
}

const isOfType = <Type extends FromPage['type']>(message: FromPage, type: Type): message is Answer<Type> =>
  message.type === type;
