import { setImmediate as turn } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { gatedHttp, upTo } from '../support/gated-http.ts';
import { PATIENCE } from '../support/patience.ts';
import { within } from '../support/within.ts';

// What the SDK's own client makes of connections that break.

const { gated, serve } = gatedHttp();
let url: string;
beforeAll(async () => {
  url = await serve();
});

describe('the client of the SDK', () => {
  /** Breaks the body of each answer after so many bytes, as a network does, for as long as there are numbers. */
  function breakingFetch(cuts: number[]): typeof fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      const cut = response.headers.get('content-type') === 'text/event-stream' ? cuts.shift() : undefined;
      if (cut === undefined || response.body === null) return response;
      let left = cut;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(value.subarray(0, left));
          left -= value.length;
          if (left > 0) return;
          await reader.cancel();
          controller.error(new TypeError('terminated'));
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
  }

  async function connect(cuts: number[]): Promise<Client> {
    const client = new Client({ name: 'breaking', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: breakingFetch(cuts) });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return client;
  }

  test('gets its answer and each step of the progress once, over broken connections', async () => {
    const cuts: number[] = [];
    const client = await connect(cuts);
    const seen: number[] = [];
    // Each breaks in the middle of a step.
    cuts.push(200, 220, 220);
    const answered = client.callTool({ name: 'gated', arguments: { text: 'at last' } }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    const call = await gated.next();
    for (const step of upTo(12)) {
      call.progress(step);
      await turn();
    }
    await vi.waitFor(() => expect(cuts).toEqual([]), PATIENCE);
    call.end();
    const { content } = await within(20_000, answered, 'the answer');
    expect(content).toEqual([{ type: 'text', text: 'at last' }]);
    expect(seen).toEqual(upTo(12));
    await client.close();
  });
});
