import type { TimelinePage, TimelinePlace } from '../../feed-protocol.ts';
import type { FeedClient } from '../../feed/feed-client.ts';
import { save } from '../outputs/export.ts';

type Client = Pick<FeedClient, 'ask'>;
type Lines = TimelinePage['lines'];

/** All calls of a session, the oldest first, with the answers that servers still keep. */
export async function readSession(client: Client, session: string): Promise<object> {
  const found: Lines[number][] = [];
  let before: TimelinePlace | null = {};
  while (before !== null) {
    const page: TimelinePage = await client.ask('timeline', {
      before,
      limit: 200,
      filter: { session },
    });
    found.push(...page.lines);
    before = page.next;
  }
  const calls: object[] = [];
  for (const { home, line } of found.reverse()) {
    const call = Object.entries(line).find(([member]) => member === 'call_id')?.[1];
    const answer = typeof call === 'string' ? await answerOf(client, { home, call }) : null;
    calls.push(answer === null ? line : { ...line, answer });
  }
  return { spillway_session: 1, session, calls };
}

const answerOf = (client: Client, of: { readonly home: string; readonly call: string }) =>
  client.ask('result', of).then(
    ({ answer }) => answer,
    // Its server has gone. The line says what it was.
    () => null,
  );

/** Saves a session as one file. */
export async function exportSession(client: Client, session: string): Promise<void> {
  const text = JSON.stringify(await readSession(client, session), null, 2);
  save(new Blob([text], { type: 'application/json' }), `session-${session}.json`);
}
