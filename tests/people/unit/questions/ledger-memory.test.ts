import { beforeEach, expect, it } from 'vitest';
import {
  forgetEnds,
  rememberedEnds,
  rememberEnd,
} from '../../../../extension/people/worker/ledger-reports.ts';
import { MAX_ENDS } from '../../../../shared/ledger/report.ts';
import { installBrowser, storageOf } from '../../../support/browser-api.ts';

let kept: Record<string, unknown>;
beforeEach(() => {
  kept = {};
  installBrowser({ storage: { local: storageOf(kept) } });
});

const home = (n: number): string => n.toString(16).padStart(16, '0');

it('keeps the longest end of each chain, the one that grew last at the end', async () => {
  await Promise.all([
    rememberEnd(home(1), { chain: 'a', seq: 3 }),
    rememberEnd(home(1), { chain: 'b', seq: 1 }),
    rememberEnd(home(2), { chain: 'c', seq: 9 }),
    rememberEnd(home(1), { chain: 'a', seq: 2 }),
  ]);
  expect(await rememberedEnds(home(1))).toEqual([
    { chain: 'b', seq: 1 },
    { chain: 'a', seq: 3 },
  ]);
  await forgetEnds(home(1));
  expect(await rememberedEnds(home(1))).toEqual([]);
  expect(await rememberedEnds(home(2))).toEqual([{ chain: 'c', seq: 9 }]);
});

it('is bounded, however many chains and homes servers name', async () => {
  for (let n = 0; n < MAX_ENDS + 5; n += 1) await rememberEnd(home(1), { chain: `c${n}`, seq: 1 });
  const ends = await rememberedEnds(home(1));
  expect(ends).toHaveLength(MAX_ENDS);
  expect(ends[0]).toEqual({ chain: 'c5', seq: 1 });
  for (let n = 2; n < 20; n += 1) await rememberEnd(home(n), { chain: 'c', seq: 1 });
  expect(await rememberedEnds(home(1))).toEqual([]);
});
