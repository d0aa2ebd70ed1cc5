import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RefBook } from '../../../extension/background/pages/ref-book.ts';

/** What the browser keeps for as long as it runs, and the documents that it has. */
const { kept, writes, documents, browser } = vi.hoisted(() => {
  const kept: Record<string, unknown> = {};
  const writes: object[] = [];
  const documents = new Map<string, string>();
  const browser = {
    storage: {
      session: {
        get: () => Promise.resolve(structuredClone(kept)),
        set: (values: object) => {
          writes.push(values);
          return Promise.resolve(void Object.assign(kept, structuredClone(values)));
        },
        remove: (key: string) => Promise.resolve(void Reflect.deleteProperty(kept, key)),
      },
    },
    webNavigation: {
      getFrame: ({ documentId }: { documentId: string }) => {
        const documentLifecycle = documents.get(documentId);
        return Promise.resolve(documentLifecycle === undefined ? null : { documentLifecycle });
      },
    },
  };
  return { kept, writes, documents, browser };
});
vi.mock('webextension-polyfill', () => ({ default: browser }));

beforeEach(() => {
  for (const key of Object.keys(kept)) Reflect.deleteProperty(kept, key);
  documents.clear();
  writes.length = 0;
});

const HERE = { viewer: 'me', prefix: '' };

/** A document that the browser shows in a tab. */
function page(documentId: string, tabId = 1) {
  documents.set(documentId, 'active');
  return { documentId, tabId, frameId: 0 };
}

/** Shows the first `count` numbers of a loan. Answers them. */
async function show(book: RefBook, of: ReturnType<typeof page>, count: number, who = HERE) {
  const { showing, settle, stored } = await book.lend(of, who);
  const { from } = showing.numbers;
  settle(from + count - 1);
  await stored;
  return Array.from({ length: count }, (_, at) => from + at);
}

describe('numbers', () => {
  it('follow each other from page to page', async () => {
    const book = new RefBook();
    expect(await show(book, page('a'), 3)).toEqual([1, 2, 3]);
    expect(await show(book, page('b'), 0)).toEqual([]);
    expect(await show(book, page('b'), 2)).toEqual([4, 5]);
  });

  it('of readings at the same time are apart, however they end', async () => {
    const book = new RefBook(100);
    const [first, second] = await Promise.all([book.lend(page('a'), HERE), book.lend(page('b'), HERE)]);
    expect([first.showing.numbers, second.showing.numbers]).toEqual([
      { from: 1, to: 100 },
      { from: 101, to: 200 },
    ]);
    first.settle(7);
    // Another one has borrowed after it: the rest is lost rather than given twice.
    expect(await show(book, page('c'), 1)).toEqual([201]);
    second.settle(150);
    expect(await show(book, page('c'), 1)).toEqual([202]);
  });

  it('of a page that never answers are given to nobody else', async () => {
    const book = new RefBook(10);
    await book.lend(page('hung'), HERE);
    expect(await show(book, page('b'), 1)).toEqual([11]);
  });

  it.each([[0], [-5], [1_000_000]])('are not taken back by a page that says %i', async (last) => {
    const book = new RefBook(10);
    await show(book, page('a'), 5);
    const { settle } = await book.lend(page('b'), HERE);
    settle(last);
    expect((await show(book, page('c'), 1))[0]).toBeGreaterThan(5);
  });

  it('go on in the next worker, also after one that was ended in the middle', async () => {
    expect(await show(new RefBook(10), page('a'), 3)).toEqual([1, 2, 3]);
    const book = new RefBook(10);
    const { stored } = await book.lend(page('b'), HERE);
    await stored;
    expect(await show(new RefBook(10), page('c'), 1)).toEqual([14]);
  });
});

/** Asks a question whose answer shows the first `count` numbers that nobody has. Answers them. */
async function ask(book: RefBook, of: ReturnType<typeof page>, count: number, who = HERE) {
  const loan = await book.lendFew(of, who);
  const { from } = loan.showing.numbers;
  loan.settle(from + count - 1);
  await loan.stored;
  return Array.from({ length: count }, (_, at) => from + at);
}

describe('numbers for a question', () => {
  it('are not written down as long as none is used', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    await ask(book, page('a'), 0);
    const before = writes.length;
    for (let at = 0; at < 20; at += 1) expect(await ask(book, page('a'), 0)).toEqual([]);
    expect(writes.length).toBe(before);
    expect(await ask(book, page('a'), 2)).toEqual([4, 5]);
  });

  it('lead to their document in the next worker, which gives none of them again', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    const [number = 0] = await ask(book, page('b'), 1);
    expect(await new RefBook().find(`e${number}`, { tabId: 1, viewer: 'me' })).toMatchObject({
      documentId: 'b',
    });
    await book.lendFew(page('c'), HERE);
    const [other = 0] = await show(new RefBook(), page('d'), 1);
    expect(other).toBeGreaterThan(number + 128);
  });

  it('of questions at the same time are apart, whichever is answered first', async () => {
    const book = new RefBook();
    const [first, second] = [await book.lendFew(page('a'), HERE), await book.lendFew(page('a'), HERE)];
    const reading = await book.lend(page('b'), HERE);
    const taken = [first, second, reading].map(({ showing }) => showing.numbers);
    for (const [at, { from, to }] of taken.entries())
      for (const other of taken.slice(at + 1)) expect(from > other.to || to < other.from).toBe(true);
    second.settle(second.showing.numbers.from + 1);
    first.settle(first.showing.numbers.from);
    reading.settle(reading.showing.numbers.from + 2);
    await Promise.all([first.stored, second.stored, reading.stored]);
    const next = new RefBook();
    for (const [loan, documentId] of [
      [first, 'a'],
      [second, 'a'],
      [reading, 'b'],
    ] as const)
      expect(await next.find(`e${loan.showing.numbers.from}`, { tabId: 1, viewer: 'me' })).toMatchObject({
        documentId,
      });
  });

  it('leave no gap before the numbers of the next reading', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    await ask(book, page('a'), 2);
    expect(await show(book, page('a'), 1)).toEqual([6]);
    await ask(book, page('a'), 0);
    expect(await show(book, page('a'), 1)).toEqual([7]);
  });

  it('are shown to whom the question was of, though it used none', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    await ask(book, page('a'), 0, { viewer: 'you', prefix: '' });
    expect(await new RefBook().find('e1', { tabId: 1, viewer: 'you' })).toMatchObject({ documentId: 'a' });
  });

  it('are enough for very many questions', async () => {
    const book = new RefBook();
    const all = new Set<number>();
    for (let at = 0; at < 50; at += 1)
      for (const number of await ask(book, page(`p${at % 3}`), 103)) all.add(number);
    expect(all.size).toBe(50 * 103);
    expect(await book.find('e5150', { tabId: 1, viewer: 'me' })).toMatchObject({ documentId: 'p1' });
  });
});

describe('a ref', () => {
  const found = { frameId: 0, documentId: 'a', prefix: '' };

  it('leads to its document, also in the next worker', async () => {
    await show(new RefBook(), page('a'), 3);
    const book = new RefBook();
    expect(await book.find('e3', { tabId: 1, viewer: 'me' })).toEqual(found);
    expect(await book.find('f2e3', { tabId: 1, viewer: 'me' })).toEqual(found);
  });

  it.each([
    ['nonsense', 'is not a ref'],
    ['e', 'is not a ref'],
    ['e-1', 'is not a ref'],
    ['e1e2', 'is not a ref'],
    ['e0', 'never shown to you'],
    ['e4', 'never shown to you'],
    ['e99999999999999999999', 'never shown to you'],
  ])('%s that was never lent is not found', async (ref, why) => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    const finding = book.find(ref, { tabId: 1, viewer: 'me' });
    await expect(finding).rejects.toMatchObject({
      code: 'ref_not_found',
      message: expect.stringContaining(why) as string,
    });
  });

  it('that another session was shown is not found', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    await expect(book.find('e1', { tabId: 1, viewer: 'you' })).rejects.toMatchObject({
      code: 'ref_not_found',
    });
    await show(book, page('a'), 0, { viewer: 'you', prefix: '' });
    expect(await book.find('e1', { tabId: 1, viewer: 'you' })).toEqual(found);
  });

  it('of another tab is refused with that tab', async () => {
    const book = new RefBook();
    await show(book, page('a', 42), 3);
    await expect(book.find('e1', { tabId: 43, viewer: 'me' })).rejects.toMatchObject({
      code: 'ref_not_found',
      message: 'Ref e1 is of tab 42, not of tab 43.',
      tabId: 42,
    });
  });

  it('of a document that is gone is stale, and of one that was left until it is back', async () => {
    const book = new RefBook();
    await show(book, page('a'), 3);
    documents.set('a', 'cached');
    await expect(book.find('e1', { tabId: 1, viewer: 'me' })).rejects.toMatchObject({ code: 'stale_ref' });
    documents.set('a', 'active');
    expect(await book.find('e1', { tabId: 1, viewer: 'me' })).toEqual(found);
    documents.delete('a');
    await expect(book.find('e1', { tabId: 1, viewer: 'me' })).rejects.toMatchObject({ code: 'stale_ref' });
  });

  it('of one of very many documents is remembered, and of the first no longer', async () => {
    const book = new RefBook(10);
    for (let at = 0; at < 600; at += 1) await show(book, page(`d${at}`), 1);
    expect(Object.keys(kept).length).toBeLessThan(510);
    expect(await book.find('e600', { tabId: 1, viewer: 'me' })).toMatchObject({ documentId: 'd599' });
    await expect(book.find('e1', { tabId: 1, viewer: 'me' })).rejects.toMatchObject({ code: 'stale_ref' });
    expect(await show(new RefBook(10), page('new'), 1)).toEqual([601]);
  });
});

describe('a session that continues what another one began', () => {
  it('finds the refs that the other was shown, in every document, also after a restart of the worker', async () => {
    const book = new RefBook();
    const [first = 0] = await show(book, page('a'), 2);
    const [second = 0] = await show(book, page('b', 2), 2);
    const [foreign = 0] = await show(book, page('c', 3), 1, { viewer: 'somebody', prefix: '' });
    expect(await book.share('me', 'next')).toHaveLength(2);
    for (const one of [book, new RefBook()]) {
      expect(await one.find(`e${first}`, { tabId: 1, viewer: 'next' })).toMatchObject({ documentId: 'a' });
      expect(await one.find(`e${second}`, { tabId: 2, viewer: 'next' })).toMatchObject({ documentId: 'b' });
      await expect(one.find(`e${foreign}`, { tabId: 3, viewer: 'next' })).rejects.toMatchObject({
        code: 'ref_not_found',
      });
    }
  });

  it('takes over 20 documents at most, the last ones', async () => {
    const book = new RefBook();
    for (let one = 0; one < 22; one += 1) await show(book, page(`d${one}`), 1);
    const shared = await book.share('me', 'next');
    expect(shared.map(({ documentId }) => documentId)).toEqual(
      Array.from({ length: 20 }, (_, at) => `d${21 - at}`),
    );
  });
});
