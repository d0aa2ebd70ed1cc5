import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { SessionEvents, type EventLimits } from '../../../server/adapters/mcp/http/event-store.ts';

const notification = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'told', params: { text } });
const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };

let now = 0;
const made = (limits: Partial<EventLimits> = {}): SessionEvents =>
  new SessionEvents({ limits, now: () => now });

describe('events of a session', () => {
  it('are answered whole or not at all, whatever was dropped', async () => {
    const one = fc.record({ stream: fc.nat(3), size: fc.nat(400), ends: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 60 }), async (stored) => {
        const events = made({ events: 8, streams: 2, sizeBytes: 2_000, answeredMs: 1e9 });
        const log = new Map<string, string[]>();
        for (const { stream, size, ends } of stored) {
          const message = ends ? answer : notification('x'.repeat(size));
          const ids = log.get(`${stream}`) ?? [];
          ids.push(await events.storeEvent(`${stream}`, message));
          log.set(`${stream}`, ids);
          expect(events.size.events).toBeLessThanOrEqual(8);
          expect(events.size.events === 1 || events.size.sizeBytes <= 2_000).toBe(true);
          expect(events.size.streams).toBeLessThanOrEqual(8 + 2);
        }
        for (const ids of log.values())
          for (const [at, id] of ids.entries()) {
            const missed = events.missedAfter(id);
            // A forgotten stream continues under another key, and is complete too.
            const key = (of: string): string => of.split('-')[0] ?? '';
            const rest = ids.slice(at + 1).filter((later) => key(later) === key(id));
            if (missed !== null) expect(missed.events.map((event) => event.id)).toEqual(rest);
          }
        const newest = stored.at(-1)?.stream;
        const last = log.get(`${newest}`)?.at(-1);
        if (last !== undefined) expect(events.missedAfter(last)).not.toBeNull();
      }),
      { numRuns: rounds(100, 40) },
    );
  });

  it('go a while after their request was answered, and all with the session', async () => {
    const events = made({ answeredMs: 1_000 });
    now = 0;
    await events.storeEvent('open', notification('a'));
    const done = await events.storeEvent('done', answer);
    now = 999;
    events.prune();
    expect(events.size.events).toBe(2);
    now = 1_000;
    events.prune();
    expect(events.size).toMatchObject({ events: 1, streams: 1 });
    expect(events.missedAfter(done)).toBeNull();
    events.clear();
    expect(events.size).toEqual({ events: 0, sizeBytes: 0, streams: 0 });
  });
});
