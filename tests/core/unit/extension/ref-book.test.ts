import { beforeEach, describe, expect, it } from 'vitest';
import { RefBook } from '../../../../extension/core/pages/ref-book.ts';
import { installBrowser, storageOf } from '../../../support/browser-api.ts';

let kept: Record<string, unknown>;
let documents: Map<string, string>;

beforeEach(() => {
  [kept, documents] = [{}, new Map()];
  installBrowser({
    storage: { session: storageOf(kept) },
    webNavigation: {
      getFrame: ({ documentId }: { documentId: string }) => {
        const documentLifecycle = documents.get(documentId);
        return Promise.resolve(documentLifecycle === undefined ? null : { documentLifecycle });
      },
    },
  });
});

const HERE = { viewer: 'me', prefix: '' };
const YOU = { viewer: 'you', prefix: '' };
const AT = { tabId: 1, viewer: 'me' };

function page(documentId: string, tabId = 1) {
  documents.set(documentId, 'active');
  return { documentId, tabId, frameId: 0 };
}

/** Uses the first `count` numbers of a loan, and returns them. */
async function take(loan: ReturnType<RefBook['lend']>, count: number): Promise<number[]> {
  const { showing, settle, stored } = await loan;
  const { from } = showing.numbers;
  settle(from + count - 1);
  await stored;
  return Array.from({ length: count }, (_, at) => from + at);
}

const show = (book: RefBook, of: ReturnType<typeof page>, count: number, who = HERE): Promise<number[]> =>
  take(book.lend(of, who), count);

it('numbers of readings at the same time are apart, however they end', async () => {
  const book = new RefBook(100);
  const [first, second] = await Promise.all([book.lend(page('a'), HERE), book.lend(page('b'), HERE)]);
  expect(first.showing.numbers).toEqual({ from: 1, to: 100 });
  expect(second.showing.numbers).toEqual({ from: 101, to: 200 });
  first.settle(7);
  // Another loan followed it: the rest is lost rather than issued twice.
  expect(await show(book, page('c'), 1)).toEqual([201]);
  second.settle(150);
  expect(await show(book, page('c'), 1)).toEqual([202]);
});

it('a page that is read again stores nothing unless it has new elements, and finds them after a restart', async () => {
  const book = new RefBook();
  await take(book.lendToRead(page('a'), HERE), 3);
  await take(book.lendToRead(page('a'), HERE), 0);
  const before = JSON.stringify(kept);
  await take(book.lendToRead(page('a'), HERE), 0);
  expect(JSON.stringify(kept)).toBe(before);
  const [added = 0] = await take(book.lendToRead(page('a'), HERE), 1);
  expect(added).toBe(4);
  expect(await new RefBook().find(`e${added}`, AT)).toMatchObject({ documentId: 'a' });
  expect((await show(book, page('b'), 1))[0]).toBe(5);
  await expect(book.find('e4', { tabId: 1, viewer: 'you' })).rejects.toMatchObject({ code: 'ref_not_found' });
});

it.each([[0], [-5], [1_000_000]])('numbers are not taken back by a page that says %i', async (last) => {
  const book = new RefBook(10);
  await show(book, page('a'), 5);
  const { settle } = await book.lend(page('b'), HERE);
  settle(last);
  expect((await show(book, page('c'), 1))[0]).toBeGreaterThan(5);
});

it('numbers continue in the next worker, also after one that ended halfway', async () => {
  expect(await show(new RefBook(10), page('a'), 3)).toEqual([1, 2, 3]);
  const { stored } = await new RefBook(10).lend(page('b'), HERE);
  await stored;
  expect(await show(new RefBook(10), page('c'), 1)).toEqual([14]);
});

it('numbers for a question of questions at the same time are apart, whichever is answered first', async () => {
  const book = new RefBook();
  const [first, second] = [await book.lendFew(page('a'), HERE), await book.lendFew(page('a'), HERE)];
  const reading = await book.lend(page('b'), HERE);
  const taken = [first, second, reading].map(({ showing }) => showing.numbers);
  for (const [at, { from, to }] of taken.entries())
    for (const other of taken.slice(at + 1)) expect(from > other.to || to < other.from).toBe(true);
  for (const loan of [second, first, reading]) loan.settle(loan.showing.numbers.from + 1);
  await Promise.all([first.stored, second.stored, reading.stored]);
  const next = new RefBook();
  for (const { showing } of [first, second])
    expect(await next.find(`e${showing.numbers.from}`, AT)).toMatchObject({ documentId: 'a' });
  expect(await next.find(`e${reading.showing.numbers.from}`, AT)).toMatchObject({ documentId: 'b' });
});

describe('a ref', () => {
  const found = { frameId: 0, documentId: 'a', prefix: '' };

  it('leads to its document, also in the next worker', async () => {
    await show(new RefBook(), page('a'), 3);
    const book = new RefBook();
    expect(await book.find('e3', AT)).toEqual(found);
    expect(await book.find('f2e3', AT)).toEqual(found);
  });

  it.each([
    ['e', 'is not a ref'],
    ['e99999999999999999999', 'never shown to you'],
  ])('%s that was never lent is not found', async (ref, why) => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    const message: unknown = expect.stringContaining(why);
    await expect(book.find(ref, AT)).rejects.toMatchObject({ code: 'ref_not_found', message });
  });

  it('that another session was shown is not found, nor one of another tab', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    const asYou = () => book.find('e1', { tabId: 1, viewer: 'you' });
    await expect(asYou()).rejects.toMatchObject({ code: 'ref_not_found' });
    await show(book, page('a'), 0, YOU);
    expect(await asYou()).toEqual(found);
    const elsewhere = { code: 'ref_not_found', tabId: 1 };
    await expect(book.find('e1', { tabId: 43, viewer: 'me' })).rejects.toMatchObject(elsewhere);
  });

  it('of a document that is gone is stale, and of one that was left until it is back', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    documents.set('a', 'cached');
    await expect(book.find('e1', AT)).rejects.toMatchObject({ code: 'stale_ref' });
    documents.set('a', 'active');
    expect(await book.find('e1', AT)).toEqual(found);
    documents.delete('a');
    await expect(book.find('e1', AT)).rejects.toMatchObject({ code: 'stale_ref' });
  });

  it('of one of very many documents is remembered, and of the first no longer', async () => {
    const book = new RefBook(10);
    for (let at = 0; at < 600; at += 1) await show(book, page(`d${at}`), 1);
    expect(Object.keys(kept).length).toBeLessThan(510);
    expect(await book.find('e600', AT)).toMatchObject({ documentId: 'd599' });
    await expect(book.find('e1', AT)).rejects.toMatchObject({ code: 'stale_ref' });
    expect(await show(new RefBook(10), page('new'), 1)).toEqual([601]);
  });
});
