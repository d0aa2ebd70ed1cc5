import type * as z from 'zod/mini';
import { messageOf } from '../../../shared/message-of.ts';
import { ChangedRun, Lifted } from '../answers-protocol.ts';
import type { FeedQuery } from '../feed-protocol.ts';
import type { PanelFeed } from '../feed/panel-feed.ts';
import type { ShownRun } from '../feed/runs-store.ts';

/** What a person changes by a query. Each resolves with what went wrong, or with null. */
export const createActs = (feed: PanelFeed) => ({
  changeRun: (type: 'run_cancel' | 'run_resume', { home, run }: ShownRun): Promise<string | null> =>
    done(feed, { type, home, run: run.run_id }, ChangedRun).finally(() => void feed.runs.refresh()),
  lift: (server: string, session: string, tokens: number | null): Promise<string | null> =>
    done(feed, { type: 'lift', server, session, tokens }, Lifted).finally(() => void feed.meter.refresh()),
});

async function done(
  { client }: PanelFeed,
  query: FeedQuery,
  schema: z.ZodMiniType<object>,
): Promise<string | null> {
  try {
    await client.ask(query, schema);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
