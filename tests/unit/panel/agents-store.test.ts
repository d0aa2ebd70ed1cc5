import { expect, it } from 'vitest';
import type { FeedEvent } from '../../../shared/bridge/feed.ts';
import { AgentsStore } from '../../../extension/panel/feed/agents-store.ts';
import { START, begun, ended } from './lines.ts';

const agents = (...calls: readonly string[]): FeedEvent => ({
  type: 'agents',
  agents: [
    {
      session: 's1',
      name: 'claude-code',
      version: '2.1.0',
      last_at: new Date(START).toISOString(),
      calls: calls.map((call_id) => ({ call_id, tool: 'crawl', since: new Date(START).toISOString() })),
    },
  ],
});
const callsOf = (store: AgentsStore): readonly string[] =>
  store.sessions.value.flatMap(({ calls }) => calls.map(({ id }) => id));

it('what agents do is each call from its beginning to its end, with how far it is and where', () => {
  const store = new AgentsStore();
  store.take('one', [agents(), begun(1)]);
  const calls = [{ id: 'c1', tool: 'interact' }];
  const agent = { name: 'claude-code', version: '2.1.0', site: 'shop.example', calls };
  expect(store.sessions.value).toMatchObject([agent]);
  store.take('one', [
    { type: 'call', phase: 'progress', ts: '', call_id: 'c1', session: 's1', done: 2, message: 'Page 2' },
  ]);
  expect(store.sessions.value[0]?.calls[0]?.progress).toEqual({ done: 2, total: null, message: 'Page 2' });
  store.take('one', [ended(1)]);
  expect(callsOf(store)).toEqual([]);
});
