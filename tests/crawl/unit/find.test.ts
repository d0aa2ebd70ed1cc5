import { expect, test } from 'vitest';
import { wideGraph } from '../../../fixtures/crawl-graph.ts';
import type { PageRead } from '../../../server/crawl/source.ts';
import { searchPage } from '../../../server/crawl/ledger.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { GraphSource } from './graph-source.ts';
import { runCrawl } from './run-crawl.ts';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA'.padEnd(36, 'q')}`;
const redactor = createRedactor({ enabled: true });
const redact = redactor.value.bind(redactor);

class TextSource extends GraphSource {
  constructor(private readonly texts: Readonly<Record<string, string>>) {
    super(wideGraph(40));
  }

  override async page(href: string, signal: AbortSignal): Promise<PageRead> {
    const page = await super.page(href, signal);
    return { ...page, content: this.texts[new URL(href).pathname] ?? page.content };
  }
}

const FILLER = Array.from({ length: 30 }, (_, at) => `Line ${at} of a long page.`).join('\n\n');

test('only pages with the text are items, with its lines alone; links of all are followed', async () => {
  const page = `# Relay\n\n${FILLER}\n\nThe default port of the relay is 48613.\n\n${FILLER}\n`;
  const args = { find: 'DEFAULT   port', max_pages: 30 };
  const { items, outcome, scope } = await runCrawl(new TextSource({ '/docs/part-7': page }), args);
  expect(items).toHaveLength(1);
  const [item] = items;
  expect(item).toEqual({
    url: expect.stringContaining('/docs/part-7'),
    depth: 1,
    status: 200,
    title: expect.any(String),
    markdown: expect.stringContaining('The default port of the relay is 48613.'),
  });
  expect(item?.markdown).toContain('# Relay\n…\n');
  expect(item?.markdown).not.toContain('Line 3 of');
  expect(outcome.coverage[0]).toBe('find: pages that contain "DEFAULT   port": 1 of 30.');
  expect(outcome.state).toMatchObject({ pages: 30 });
  expect(scope.latest.done).toBe(30);
});

test('a secret at the edge of an excerpt is redacted before it is cut', async () => {
  const line = `${'x '.repeat(200)}needle ${'y '.repeat(112)}${TOKEN} ${'z '.repeat(200)}`;
  const { content } = await searchPage(line, { find: 'needle', format: 'text', redact });
  expect(content).toContain('needle');
  expect(content).not.toContain('ghp_');
});
