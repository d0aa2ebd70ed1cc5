import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { SessionEvents, type EventLimits } from '../../../server/mcp/era-2025/http/connection.ts';

const notification = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'told', params: { text } });
const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };

let now = 0;
const made = (limits: Partial<EventLimits> = {}): SessionEvents =>
  new SessionEvents({ limits, now: () => now });

it('events of a session are answered whole or not at all, whatever was dropped', async () => {
  const one = fc.record({ stream: fc.nat(3), size: fc.nat(400), ends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 60 }), async (stored) => {
      const events = made({ events: 8, sizeBytes: 2_000, answeredMs: 1e9 });
      const log = new Map<string, string[]>();
      // After its answer the same name belongs to another stream.
      const rounds = new Map<number, number>();
      for (const { stream, size, ends } of stored) {
        const message = ends ? answer : notification('x'.repeat(size));
        const round = rounds.get(stream) ?? 0;
        const name = `${stream}.${round}`;
        const ids = log.get(name) ?? [];
        ids.push(await events.storeEvent(`${stream}`, message));
        log.set(name, ids);
        if (ends) rounds.set(stream, round + 1);
        expect(events.size.events).toBeLessThanOrEqual(8);
        expect(events.size.events === 1 || events.size.sizeBytes <= 2_000).toBe(true);
      }
      for (const ids of log.values())
        for (const [at, id] of ids.entries()) {
          const missed = events.findMissedAfter(id);
          if (missed !== null) expect(missed.events.map((event) => event.id)).toEqual(ids.slice(at + 1));
        }
      const last = [...log.values()]
        .flat()
        .toSorted((a, b) => parseInt(a, 36) - parseInt(b, 36))
        .at(-1);
      if (last !== undefined) expect(events.findMissedAfter(last)).not.toBeNull();
    }),
    { numRuns: rounds(100, 40) },
  );
});

it('events of a session go a while after their request was answered, and all with the session', async () => {
  const events = made({ answeredMs: 1_000 });
  now = 0;
  await events.storeEvent('open', notification('a'));
  const done = await events.storeEvent('done', answer);
  now = 999;
  events.prune();
  expect(events.size.events).toBe(2);
  now = 1_000;
  events.prune();
  expect(events.size).toMatchObject({ events: 1 });
  expect(events.findMissedAfter(done)).toBeNull();
  events.clear();
  expect(events.size).toEqual({ events: 0, sizeBytes: 0 });
});
