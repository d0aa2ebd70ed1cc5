import { expect, it } from 'vitest';
import { MIME } from '../../../shared/base/mime.ts';
import { createOutputSearch } from '../../../server/outputs/query/search.ts';
import type { CleanPayload } from '../../../server/core/result.ts';
import type { OutputSearch } from '../../../server/core/output/index.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { FakeClock, setUp } from './support.ts';

const never = new AbortController().signal;

async function searched(payload: CleanPayload, searchMs?: number) {
  const { store, keep } = await setUp();
  const handle = await keep(payload);
  const search = createOutputSearch(store, new FakeClock(), searchMs);
  return (text: string, rest: Partial<Parameters<OutputSearch>[0]> = {}, signal = never) =>
    search({ handle, text, offset: 0, limit: 10, ...rest }, signal);
}

it('a text in a stored text is found whatever its case, at the byte where it begins, with what is around it', async () => {
  const find = await searched(textPayload(MIME.markdown, 'Grüße: TEA, tea and Téa.'));
  expect(await find('tea')).toEqual({
    unit: 'bytes',
    matches: [
      { offset: 9, before: 'Grüße: ', match: 'TEA', after: ', tea and Téa.' },
      { offset: 14, before: 'Grüße: TEA, ', match: 'tea', after: ' and Téa.' },
    ],
    next_offset: null,
    total: 27,
  });
  expect((await find('TÉA')).matches).toMatchObject([{ match: 'Téa' }]);
});

it('a text in stored items ends in time, and continues where it was', async () => {
  const teas = Array.from({ length: 3_000 }, (_, n) => ({ name: `Tea ${n}`, text: 'long '.repeat(200) }));
  const find = await searched(itemsPayload(teas), 0);
  expect((await find('tea 2999')).matches).toEqual([]);
  const offsets: number[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const { matches, next_offset }: Awaited<ReturnType<typeof find>> = await find('tea 2999', { offset });
    expect(next_offset === null || next_offset > offset).toBe(true);
    offsets.push(...matches.map((match) => match.offset));
    offset = next_offset;
  }
  expect(offsets).toEqual([2_999]);
});

it('a search that nobody wants any longer ends with its reason', async () => {
  const find = await searched(textPayload(MIME.text, 'x'.repeat(3_000_000)));
  const enough = new AbortController();
  const work = find('needle', {}, enough.signal);
  enough.abort(new Error('Enough.'));
  await expect(work).rejects.toThrow('Enough.');
});
