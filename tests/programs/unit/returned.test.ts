import { expect, it } from 'vitest';
import type { ProgramEnd } from '../../../server/programs/protocol.ts';
import { listOf, ProgramRecord } from '../../../server/programs/record.ts';
import { runProgram } from '../../../server/programs/program.ts';
import { loadSandbox } from '../../../server/programs/sandbox.ts';
import { Killed, MemoryDisk, MemoryScope } from '../../crawl/unit/memory-run.ts';

const ITEMS = Array.from({ length: 12_345 }, (_, at) => at);

it.each([0, 1, 2, 3, 4])(
  'keeps each returned item once, whatever was written at a kill: %d',
  async (killAfter) => {
    const disk = new MemoryDisk();
    const keep = (scope: MemoryScope): Promise<void> => new ProgramRecord(scope, 0).keepReturned(ITEMS);
    const killed = keep(new MemoryScope(disk, { killAfter }));
    if (killAfter < 3) await expect(killed).rejects.toThrow(Killed);
    else await killed;
    await keep(new MemoryScope(disk));
    await keep(new MemoryScope(disk));
    expect(disk.items).toEqual(ITEMS);
  },
);

const SOME = 'Array.from({ length: 60_000 }, (_, at) => at)';
async function endOf(code: string): Promise<ProgramEnd> {
  const start = await loadSandbox();
  const nothing = (): void => undefined;
  const events = { call: nothing, emit: () => Promise.resolve(), log: nothing, rests: nothing };
  const thread = start({ code, input: 'null', now: 0, seed: 1 }, events);
  const end = await thread.ended;
  await thread.close(null);
  return end;
}

it.each([
  `return { many: ${SOME}.map((at) => Array(20).fill(at)) }`,
  `return Object.fromEntries(${SOME}.map((at) => ['n' + at, at]))`,
  `return [${SOME}.map((at) => ({ ['n' + at]: at }))]`,
  `emit(Object.fromEntries(${SOME}.map((at) => ['n' + at, at])))`,
])('refuses an item that would take long to parse: %s', async (code) => {
  const message = 'an item of its output has more than 1000000 values, or 50000 different names';
  expect(await endOf(code)).toMatchObject({ type: 'limit', message });
});

it('returns a list in parts, with as many names and values as its items have', async () => {
  const end = await endOf(`return ${SOME}.map((at) => ({ ['n' + at]: at, more: [at, at] }))`);
  const parts = end.type === 'returned' ? (end.parts ?? []) : [];
  expect(parts.length).toBeGreaterThan(5);
  const wanted = Array.from({ length: 60_000 }, (_, at) => ({ [`n${at}`]: at, more: [at, at] }));
  expect(await listOf(parts)).toEqual(wanted);
});

it.each(['return [1, 2];', 'emit(1); emit(2);'])(
  'a program whose end is lost has its items once: %s',
  async (code) => {
    const disk = new MemoryDisk();
    const registry = { find: () => undefined, all: () => [], isExpected: () => false };
    const services = { registry, now: () => 0, call: () => Promise.reject(new Error('It makes no calls.')) };
    for (const scope of [new MemoryScope(disk), new MemoryScope(disk)])
      await runProgram({ code, input: null }, scope, { services });
    expect(disk.items).toEqual([1, 2]);
  },
);
