import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { createScratch } from '../../../../server/machine/scratch.ts';
import { eventsOf } from '../../../../server/upstream/mcp/bodies.ts';
import { Incoming, SHORT_MESSAGE_BYTES } from '../../../../server/upstream/mcp/incoming.ts';
import { Intake } from '../../../../server/upstream/mcp/intake.ts';
import { rounds } from '../../../support/depth.ts';
import { temporaryHome } from '../../../support/home.ts';
import { keptLog } from '../../../support/upstream-rig.ts';
import fc from '../../../support/property.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryHome();
});

const LONG = 'x'.repeat(SHORT_MESSAGE_BYTES + 1);

/** An intake, and what goes through its transport. */
function open() {
  const intake = new Intake('The upstream odd', createScratch({ home, logger: keptLog() }));
  const transport: Transport = { start: async () => {}, close: async () => {}, send: async () => {} };
  intake.watch(transport);
  const ask = (id: number): Promise<void> => transport.send({ jsonrpc: '2.0', id, method: 'tools/call' });
  const cancel = (id: number): Promise<void> =>
    transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  const incoming = new Incoming(intake);
  const take = async (message: object) => {
    await incoming.push(Buffer.from(JSON.stringify(message)));
    const long = await incoming.long();
    return long === null ? null : intake.settle(long);
  };
  return { intake, ask, cancel, take };
}

const answer = (id: number, text = LONG.repeat(5)) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ text }] },
});
const left = (): Promise<string[]> => readdir(join(home, 'tmp'));

describe('a long answer', () => {
  it('that was cancelled, before it came or then, is dropped', async () => {
    const { ask, cancel, take } = open();
    await ask(1);
    await cancel(1);
    expect(await take(answer(1))).toBeNull();
    expect(await left()).toEqual([]);
    await ask(2);
    expect(await take(answer(2))).not.toBeNull();
    expect(await left()).toHaveLength(1);
    await cancel(2);
    await expect.poll(left).toEqual([]);
  });
});

/** What a reader of an event stream makes of its bytes (HTML Standard, 9.2.6). */
function parsed(bytes: Buffer): readonly Record<string, string>[] {
  const events: Record<string, string>[] = [];
  let fields: Record<string, string> = {};
  for (const each of bytes.toString('utf8').split(/\r\n|\n|\r/)) {
    if (each === '') {
      if (fields['data'] !== undefined) events.push(fields);
      fields = {};
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(each) ?? [];
    const before = name === 'data' ? fields['data'] : undefined;
    fields[name] = before === undefined ? value : `${before}\n${value}`;
  }
  return events;
}

describe('an event stream', () => {
  const FIELDS =
    'data: {"a":1}|data:x|data|data:|data:  y|: c|event: message|id: 7|id||dat|datas: no|retry: 5||data: é😀';
  const line = fc.constantFrom(...FIELDS.split('|'));
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 });

  it('is the same to its reader, however it was cut', async () => {
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
});
