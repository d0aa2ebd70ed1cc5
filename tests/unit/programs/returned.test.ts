import { expect, it } from 'vitest';
import { ProgramRecord } from '../../../server/toolkit/programs/record.ts';
import { Killed, MemoryDisk, MemoryScope } from '../crawl/memory-run.ts';

const ITEMS = Array.from({ length: 12_345 }, (_, at) => at);

it.each([0, 1, 2, 3, 4])(
  'keeps each returned item once, whatever was written at a kill: %d',
  async (killAfter) => {
    const disk = new MemoryDisk();
    const keep = (scope: MemoryScope): Promise<void> => new ProgramRecord(scope, 0).returned(ITEMS);
    const killed = keep(new MemoryScope(disk, { killAfter }));
    if (killAfter < 3) await expect(killed).rejects.toThrow(Killed);
    else await killed;
    await keep(new MemoryScope(disk));
    await keep(new MemoryScope(disk));
    expect(disk.items).toEqual(ITEMS);
  },
);
