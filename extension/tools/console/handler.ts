import type { Handlers, StreamHandler, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { collectMessages } from './collect.ts';

export function createHandlers({ debuggers, personTabs }: WorkerServices): Pick<Handlers, 'page.console'> {
  const turns = new Map<number, Promise<unknown>>();
  const sendMessages: StreamHandler<'page.console'> = async ({ tab_id: tabId }, { signal, policy }, sink) => {
    const { url = '' } = await getReadableTab(tabId);
    // One at a time: the end of one would disable the domains that another reads.
    const turn = (turns.get(tabId) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => policy.expectFrames(tabId, ['read']))
      .then(() => {
        signal.throwIfAborted();
        return debuggers.use(tabId, signal, collectMessages);
      });
    turns.set(tabId, turn);
    try {
      const { messages: all, dropped } = await turn;
      // The browser has also kept messages from while a person was typing.
      const messages = all.filter(({ at_ms: at }) => !personTabs.hadAt(tabId, at));
      // The page may have navigated meanwhile.
      await policy.expectFrames(tabId, ['read']);
      for (const message of messages) await sink.write(`${JSON.stringify(message)}\n`);
      return { url, messages: messages.length, dropped, left_out: all.length - messages.length };
    } finally {
      if (turns.get(tabId) === turn) turns.delete(tabId);
    }
  };
  return { 'page.console': sendMessages };
}
