import Anthropic from '@anthropic-ai/sdk';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { runToolLoop, type ToolLoop, type ToolLoopEvent } from '../../../server/adapters/anthropic/index.ts';
import type { Gate } from '../../../server/core/calls/gate.ts';
import type { SpillwaySession } from '../../../server/library/types.ts';
import { endlessText, localSpillways, PAGE } from '../../support/local-spillway.ts';
import { complain, serveMessages, type ScriptedTurn } from '../../support/messages-server.ts';

const start = localSpillways();
const ASK: Anthropic.MessageParam = { role: 'user', content: 'Go.' };

/** A person is asked about each `navigate`. */
const gate: Gate = {
  check: async ({ definition: { manifest } }) =>
    manifest.name === 'navigate' ? { ask: { question: 'May it?' } } : { allow: true },
};

/** What a model may call: what ends well, what fails, what never ends by itself, what a person is asked. */
const CALLS = {
  ends: { name: 'tabs', input: {} },
  fails: { name: 'nothing_there', input: {} },
  goesOn: { name: 'read_page', input: { tab: 'b1:1', output_mode: 'handle' } },
  asks: { name: 'navigate', input: { tab: 'b1:2', url: 'https://example.com/' } },
} as const;

const turns = fc.array(
  fc.record({
    calls: fc.array(fc.constantFrom('ends', 'fails', 'asks', 'goesOn' as keyof typeof CALLS), {
      maxLength: 4,
    }),
    stopReason: fc.option(fc.constantFrom('max_tokens', 'pause_turn', 'refusal'), {
      nil: undefined,
      freq: 6,
    }),
  }),
  { maxLength: 3 },
);

type Turns = typeof turns extends fc.Arbitrary<infer Value> ? Value : never;

const toScript = (planned: Turns): ScriptedTurn[] =>
  planned.map(({ calls, stopReason }, turn) => ({
    content: [
      { type: 'text', text: 'I call.' },
      ...calls.map((kind, at) => ({ type: 'tool_use', id: `toolu_${turn}_${at}`, ...CALLS[kind] }) as const),
    ],
    ...(stopReason === undefined || (stopReason === 'pause_turn' && calls.length > 0) ? {} : { stopReason }),
  }));

/** Iterates until an event of the given number, then leaves or aborts; otherwise continues to the end. */
async function iterate(
  loop: ToolLoop,
  leaving: { readonly after: number; readonly how: 'break' | 'abort'; readonly cancel: AbortController },
): Promise<ToolLoopEvent | undefined> {
  let seen = 0;
  let last: ToolLoopEvent | undefined;
  for await (const event of loop) {
    last = event;
    seen += 1;
    if (event.type === 'tool_call' && event.toolUse.name === 'read_page')
      setTimeout(() => leaving.cancel.abort(), 20);
    if (seen !== leaving.after) continue;
    if (leaving.how === 'break') break;
    leaving.cancel.abort();
  }
  return last;
}

/** Decides what is pending, one way and the other. */
async function decideAll(session: SpillwaySession, event: ToolLoopEvent | undefined): Promise<void> {
  if (event?.type !== 'end') return;
  for (const [at, { toolUse }] of event.pending.entries())
    await session.decide(
      toolUse.id,
      at % 2 === 0 ? { approve: true, by: 'Ada' } : { approve: false, by: 'a person' },
    );
}

test('however a loop ends or is left, every call has exactly one result', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('break' as const, 'abort' as const),
      fc.integer({ min: 1, max: 3 }),
      async (planned, after, how, maxConcurrentCalls) => {
        const { spillway, bridge } = await start({ gate });
        bridge.addBrowser({ 1: { ...PAGE, content: endlessText }, 2: PAGE });
        const server = await serveMessages([
          ...toScript(planned),
          { content: [{ type: 'text', text: 'Done.' }] },
        ]);
        const client = new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
        const cancel = new AbortController();
        const params = { model: 'scripted', max_tokens: 100 };
        const { signal } = cancel;
        const options = { client, session: spillway, params, messages: [ASK], signal };
        const loop = runToolLoop({ ...options, maxConcurrentCalls });
        try {
          const end = await iterate(loop, { after, how, cancel });
          // Who leaves midway leaves nothing open.
          if (end?.type !== 'end' || end.pending.length === 0)
            expect(complain({ messages: [...loop.messages, ASK], tools: [] })).toBeNull();
          if (!cancel.signal.aborted) await decideAll(spillway, end);
          // What waits for a person is answered when the loop continues; it is not decided any later.
          cancel.abort();
          for await (const event of loop) if (event.type === 'end') expect(event.reason).toBe('aborted');
          expect(complain({ messages: [...loop.messages, ASK], tools: [] })).toBeNull();
          expect(server.complaints).toEqual([]);
        } finally {
          await server.close();
        }
      },
    ),
    { numRuns: rounds(60, 12) },
  );
});
