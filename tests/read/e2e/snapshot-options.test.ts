import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { sample } from '../../support/depth.ts';
import { pageOfSections } from '../../../fixtures/sections.ts';
import { MAPPED_HOST } from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { calling, servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';

/** `ref`, `interactive_only`, `diff` and `budget` of `read_page`, as an agent uses them. */
const { server } = await launched();

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>Page</title><body>${body}</body></html>`;
const rows = Array.from(
  { length: 2_000 },
  (_, at) =>
    `<tr><td>${at + 1}</td><td>Item ${at + 1}</td><td>${(at * 37) % 1_000}.50 EUR</td><td><button>Buy</button></td></tr>`,
).join('');

const PAGES: Readonly<Record<string, string>> = {
  table: page(
    `<h1>Stock</h1><table><tr><th>No</th><th>Name</th><th>Price</th><th>Act</th></tr>${rows}</table><p>After the table.</p>`,
  ),
  sections: [...pageOfSections(10_000)].join(''),
  frames: page(
    `<h1>Outer</h1><p>Before.</p><iframe src="http://localhost:PORT/inner" width="500" height="300"></iframe><p>After the frame.</p><button>Outer button</button>`,
  ),
  inner: page(`<h2>Inner</h2><p id="said">Old words</p><button>Inner button</button>
    <script>fetch('/gate').then(() => (said.textContent = 'New words'))</script>`),
};

let open: () => void = () => undefined;
const opened = new Promise<void>((resolve) => (open = resolve));
const site = await servePages(PAGES, { '/gate': (response) => void opened.then(() => response.end()) });
const { ok } = calling(() => server);

const go = (name: string): Promise<CallAnswer> => ok('navigate', { url: site.url(`/${name}`, MAPPED_HOST) });

const read = (args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  ok('read_page', { format: 'snapshot', ...args });

async function nextChange(): Promise<CallAnswer> {
  for (;;) {
    const found = await read({ diff: true });
    if (found.text !== '= nothing changed\n') return found;
  }
}

const linesOf = ({ text }: CallAnswer): string[] => text.trimEnd().split('\n');
const withoutRefs = (line: string): string => line.replace(/(?:f\d+)*e\d+/g, 'e');

/** The arguments in a note for the next calls. */
const callsOf = ({ notes }: CallAnswer): Record<string, unknown>[] =>
  [...notes.matchAll(/read_page (\{.*?\})/g)].map(([, args]) => JSON.parse(args ?? '{}'));

test.each(sample(['table', 'sections'], 2))(
  'budget %s: keeps within 1,500 tokens with its notes, and says how to go on',
  async (name) => {
    await go(name);
    const first = await read({ budget: 1_500 });
    expect(countTokens(first.text) + countTokens(first.notes)).toBeLessThanOrEqual(1_500);
    expect(countTokens(first.text)).toBeGreaterThan(750);
    const [next] = callsOf(first);
    expect(next).toMatchObject({ format: 'snapshot', budget: 1_500 });
    const second = await read(next ?? {});
    expect(linesOf(first).some((line) => linesOf(second).includes(line) && !/^[@#]/.test(line))).toBe(false);
  },
);

test('frames of other origins have what the page around them leaves of a budget, in their place, and say what changes in them', async () => {
  await go('frames');
  const whole = linesOf(await read());
  const plain = whole.map(withoutRefs);
  expect(plain).toContain('e button Inner button');
  expect(linesOf(await read({ budget: 1_000 })).map(withoutRefs)).toEqual(plain);
  open();
  expect((await nextChange()).text).toBe('  ## Inner\n~ New words (was Old words)\n');
});
