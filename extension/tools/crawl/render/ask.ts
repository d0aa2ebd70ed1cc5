import type { PageChannel } from '../../../background/pages/channel.ts';
import type { PageChannels } from '../../../background/pages/channels.ts';

export interface Question {
  readonly channels: PageChannels;
  readonly channel: PageChannel;
  readonly type: 'survey' | 'pulse';
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a page one question and takes its one answer.
 * @throws SpillwayError `page_unresponsive` at the deadline, or the signal's reason
 */
export async function ask({
  channels,
  channel,
  type,
  timeoutMs,
  signal,
}: Question): Promise<Awaited<ReturnType<PageChannel['receive']>>> {
  const id = channels.nextId();
  channel.open(id);
  try {
    channel.post({ type, id });
    const message = `The page did not answer within ${timeoutMs} ms.`;
    return await channel.receive(id, { timeoutMs, signal, code: 'page_unresponsive', message });
  } finally {
    channel.release(id);
  }
}
