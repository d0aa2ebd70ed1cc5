import { PassThrough, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { readMessage, StdioTransport } from '../../../server/mcp/stdio.ts';
import { defer, delay } from '../../../shared/base/async.ts';

const MIB = 1024 * 1024;
const request = (id: unknown, params: unknown, method: unknown = 'tools/call'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const read = (text: string) => readMessage({ text, isTooLarge: false }, 1_000);

it.each<[number, string[]]>([
  [
    -32_602,
    [
      ...[[1, 2], 'text', null, 7, { _meta: 'text' }, { _meta: { progressToken: {} } }].map((params, id) =>
        request(id, params),
      ),
    ],
  ],
  [
    -32_600,
    [
      request(7, {}, 12),
      request('eight', {}, null),
      '{"id":9,"method":"ping"}',
      '{"jsonrpc":"1.0","id":10,"method":"ping"}',
      '{"jsonrpc":"2.0","id":11}',
      request(null, {}),
      request(1.5, {}),
      '"text"',
      'null',
    ],
  ],
  [-32_700, ['{"jsonrpc":']],
])('answers %d, by the id of the request, to %j', (code, lines) => {
  for (const line of lines) {
    const [, written] = /"id":("\w+"|\d+)[,}]/.exec(line) ?? [];
    const id = written === undefined ? {} : { id: JSON.parse(written) as unknown };
    const replies = [{ jsonrpc: '2.0', ...id, error: { code, message: expect.any(String) } }];
    expect(read(line), line).toEqual({ replies });
  }
});

it('answers what is too large by the id that it begins or ends with', () => {
  for (const text of ['{"jsonrpc":"2.0","id":7,"params":{"x…x"}}', '{"params":{"x…x"},"id":7}'])
    expect(readMessage({ text, isTooLarge: true }, 1_000)).toMatchObject({
      replies: [{ id: 7, error: { code: -32_600 } }],
    });
  expect(readMessage({ text: '  …  ', isTooLarge: true }, 1_000)).not.toMatchObject({ replies: [{ id: 7 }] });
});

async function connect() {
  const [input, reading] = [new PassThrough(), defer<void>()];
  const output = new Writable({ write: (_chunk, _as, done) => void reading.promise.then(() => done()) });
  const transport = new StdioTransport({ input, output });
  const started: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void started.push(message);
  await transport.start();
  return { input, output, transport, started, startReading: reading.resolve };
}

const idsOf = (messages: readonly JSONRPCMessage[]): unknown[] =>
  messages.flatMap((message) => ('id' in message ? [message.id] : []));

it('starts a bounded number of calls, and never holds back what is not a call', async () => {
  const { input, transport, started } = await connect();
  for (let id = 0; id < 200; id += 1) input.write(`${request(id, { name: 'x' })}\n`);
  input.write(`${request('ping', {}, 'ping')}\n`);
  await expect.poll(() => idsOf(started).at(-1)).toBe('ping');
  expect(idsOf(started)).toEqual([...Array.from({ length: 64 }, (_, id) => id), 'ping']);
  void transport.send({ jsonrpc: '2.0', id: 3, result: {} });
  expect(idsOf(started).at(-1)).toBe(64);
});

it('gives the last answers a second from when something can answer', async () => {
  const { input, transport, started } = await connect();
  input.write(`${request('ping', {}, 'ping')}\n`);
  await expect.poll(() => idsOf(started)).toEqual(['ping']);
  vi.useFakeTimers();
  const isOver = vi.fn();
  void transport.awaitAnswered(delay(5_000)).then(isOver);
  await vi.advanceTimersByTimeAsync(5_900);
  expect(isOver).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver).toHaveBeenCalled();
});

it('leaves messages in the pipe while a client does not read, and loses none', async () => {
  const { input, output, transport, started, startReading } = await connect();
  const big = { jsonrpc: '2.0' as const, result: { text: 'x'.repeat(MIB) } };
  transport.onmessage = (message) => {
    started.push(message);
    if ('id' in message && message.id !== undefined) void transport.send({ ...big, id: message.id });
  };
  const writing = (async () => {
    for (let id = 0; id < 100; id += 1)
      if (!input.write(`${request(id, {}, 'ping')}\n`))
        await new Promise((resolve) => input.once('drain', resolve));
  })();
  await expect.poll(() => input.isPaused()).toBe(true);
  expect(output.writableLength).toBeLessThan(12 * MIB);
  for (const event of ['drain', 'error', 'close']) expect(output.listenerCount(event)).toBeLessThan(11);
  expect(started.length).toBeLessThan(12);
  startReading();
  await writing;
  await expect.poll(() => started.length).toBe(100);
  expect(idsOf(started)).toEqual(Array.from({ length: 100 }, (_, id) => id));
});
