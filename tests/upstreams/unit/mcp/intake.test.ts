import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { MessageBytes } from '../../../../server/core/message-bytes.ts';
import { eventsOf, Intake, MESSAGE_MAX_BYTES } from '../../../../server/upstreams/mcp/intake.ts';
import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';

function open() {
  const intake = new Intake('The upstream odd');
  const received: JSONRPCMessage[] = [];
  const transport: Transport = { start: async () => {}, close: async () => {}, send: async () => {} };
  intake.watch(transport);
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    deliver?.(message);
    received.push(message);
  };
  const ask = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, method: 'tools/call' });
  const cancel = (id: number): Promise<void> =>
    transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  /** Reads what comes in chunks of a MiB. */
  const take = (start: string, mib: number, end: string, asked?: string) => {
    const bytes = new MessageBytes(MESSAGE_MAX_BYTES);
    bytes.push(Buffer.from(start));
    for (let sent = 0; sent < mib; sent += 1) bytes.push(MIB);
    bytes.push(Buffer.from(end));
    const { message } = intake.read(bytes.take(), asked);
    if (message !== null) transport.onmessage?.(message);
    return message;
  };
  return { intake, ask, cancel, take, received };
}

const MIB = Buffer.alloc(1_048_576, 'x');
const FIRST = ['{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"', '"}]}}'] as const;
const LAST = ['{"result":{"content":[{"type":"text","text":"', '"}]},"jsonrpc":"2.0","id":3}'] as const;
it.each([FIRST, LAST])('an answer over 64 MiB fails the request that it names', async (start, end) => {
  const { ask, take, received } = open();
  await ask(3);
  await ask(4);
  expect(take(start, 64, end)).toMatchObject({ id: 3 });
  expect(received).toHaveLength(1);
  expect(received[0]).toHaveProperty('error.data.code', 'upstream_error');
  expect(received[0]).toHaveProperty('error.data.message', 'The upstream odd answered more than 64 MiB.');
  expect(received[0]).toHaveProperty('error.data.hint', expect.stringContaining('output_mode'));
});

it('an answer of more than 64 MiB fails the request that it was sent for, and nothing when that was cancelled', async () => {
  const { ask, cancel, take } = open();
  await ask(3);
  const asked = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call' });
  expect(take('{"id":"', 64, '"}', asked)).toMatchObject({ id: 3 });
  await ask(3);
  expect(take(FIRST[0].replace('"result"', '"method"'), 64, FIRST[1])).toBeNull();
  await cancel(3);
  expect(take(FIRST[0], 64, FIRST[1], asked)).toBeNull();
});

it('an answer of more than 64 MiB is read below that', async () => {
  const { ask, take } = open();
  await ask(3);
  expect(take(FIRST[0], 63, FIRST[1])).toHaveProperty('result.content.0.text.length', 63 * MIB.length);
});

function parsed(bytes: Buffer): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(bytes.toString('utf8'));
  return events;
}

const FIELDS =
  'data: {"a":1}|data:x|data|data:|data:  y|: c|event: message|id: 7|id||dat|datas: no|retry: 5||data: é😀';
const line = fc.constantFrom(...FIELDS.split('|'));
const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 });
it('an event stream is the same to its reader, however it was cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      async (written, sizes) => {
        const bytes = Buffer.from(`${written.flat().join('')}\n\n`);
        async function* chunks() {
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            yield bytes.subarray(at, at + size);
            at += size;
          }
        }
        const out: Uint8Array[] = [];
        for await (const part of eventsOf(chunks(), open().intake, null)) out.push(part);
        expect(parsed(Buffer.concat(out))).toEqual(parsed(bytes));
      },
    ),
    { numRuns: rounds(100, 40) },
  );
});
