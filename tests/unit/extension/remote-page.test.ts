import { expect, it } from 'vitest';
import type { FromParser, Source, Step } from '../../../extension/offscreen/parser-protocol.ts';
import { RemotePage } from '../../../extension/offscreen/remote-page.ts';

const SOURCE: Source = {
  bytes: new Uint8Array(3),
  kind: 'html',
  contentType: 'text/html',
  url: 'https://example.test/page',
  what: { kind: 'page', format: 'text', mainContentOnly: false, extract: null },
};
const FACTS = { title: 'Title', canonical: null, robots: [], isShell: false, coverage: [], error: null };
const PARTS = ['a', 'b', 'c'];

/** A parser that takes `tookMs` for each step, hangs at the steps that it is given, and forgets all pages then. */
class FakeParser {
  readonly steps: string[] = [];
  readonly closed: number[] = [];
  readonly budgets: number[] = [];
  tookMs = 0;
  /** Numbers of steps that are never answered. */
  hangsAt: number[] = [];
  readonly #taken = new Map<number, number>();
  #lastId = 0;

  nextId = (): number => (this.#lastId += 1);
  close = (id: number): void => void this.closed.push(id);
  /** What another page's hang does to this one. */
  replace = (): void => this.#taken.clear();

  ask = (step: Step, timeoutMs: number): Promise<{ answer: FromParser | null; tookMs: number }> => {
    this.steps.push(step.type);
    this.budgets.push(timeoutMs);
    if (this.hangsAt.includes(this.steps.length)) {
      this.replace();
      return Promise.resolve({ answer: null, tookMs: timeoutMs });
    }
    return Promise.resolve({ answer: this.#answer(step), tookMs: this.tookMs });
  };

  #answer({ type, id }: Step): FromParser {
    const at = this.#taken.get(id);
    this.#taken.set(id, type === 'open' ? 0 : (at ?? 0) + 1);
    if (type === 'open') return { type: 'opened', id, facts: FACTS };
    if (at === undefined) return this.#forget(id);
    return { type: 'part', id, text: PARTS[at] ?? '', isLast: at === PARTS.length - 1 };
  }

  #forget(id: number): FromParser {
    this.#taken.delete(id);
    return { type: 'unknown', id };
  }
}

const open = (parser: FakeParser, signal = new AbortController().signal): Promise<RemotePage> =>
  RemotePage.open(parser, SOURCE, signal);

async function rest(page: RemotePage): Promise<string> {
  let text = '';
  for (;;) {
    const part = await page.next();
    text += part.text;
    if (part.isLast) return text;
  }
}

it.each([0, 1, 2])(
  'hands out the parts of a page, also after %i parts when the parser was replaced',
  async (taken) => {
    const parser = new FakeParser();
    const page = await open(parser);
    let text = '';
    for (let part = 0; part < taken; part += 1) text += (await page.next()).text;
    parser.replace();
    expect(text + (await rest(page))).toBe('abc');
    expect(page.facts).toEqual(FACTS);
  },
);

it.each([
  ['it is opened', 1, ''],
  ['a part of it is read', 3, 'a'],
])('ends a page that takes too long when %s, and keeps what came before', async (_when, step, text) => {
  const parser = new FakeParser();
  parser.hangsAt = [step];
  const page = await open(parser);
  expect(await rest(page)).toBe(text);
  expect(page.facts).toMatchObject({ title: text && 'Title', error: { code: 'page_too_complex' } });
  expect(page.facts.error?.message).toContain(SOURCE.url);
  expect(await page.next()).toEqual({ text: '', isLast: true });
  expect(parser.steps).toHaveLength(step);
});
