import type { FeedEvent } from '../../../shared/core/feed.ts';
import type { Asks, JournalLine, TimelinePage } from '../../../extension/ui/frame/feed-port.ts';

const START = Date.parse('2026-11-20T08:00:00.000Z');

/** A line of a call; later ones have larger numbers. */
const lineOf = (n: number, rest: object = {}): JournalLine => ({
  id: `w-${n}`,
  ts: new Date(START + n * 1_000).toISOString(),
  tool: n % 2 === 0 ? 'read_page' : 'interact',
  ...{ event: 'tool_call', call_id: `c${n}`, client_session: 's1', agent: 'claude-code', ok: true },
  args: { url: `https://shop.example/${n}` },
  ...rest,
});

export const ended = (n: number, rest: object = {}): FeedEvent => ({
  type: 'call',
  phase: 'ended',
  line: lineOf(n, rest),
});

/** As the worker sends it while the call runs: that line has an id of its own. */
export const begun = (n: number): FeedEvent => ({
  type: 'call',
  phase: 'begun',
  line: lineOf(n, { id: `begun-${n}`, ok: undefined }),
});

/** A journal of lines 1 to `count`, paged as the worker does. */
export class FakeJournal {
  reads = 0;

  constructor(public count: number) {}

  readonly read = async ({ before = {}, limit = 100 }: Asks<'timeline'>): Promise<TimelinePage> => {
    this.reads += 1;
    await Promise.resolve();
    const place = before['home'];
    const last = place === undefined || place === null ? this.count : Number(place.split(':')[1]) - 1;
    const first = Math.max(1, last - limit + 1);
    const lines = [];
    for (let n = last; n >= first; n -= 1) lines.push({ home: 'home', line: lineOf(n) });
    return { lines, next: first === 1 ? null : { home: `2026-11-20:${first}` } };
  };
}
