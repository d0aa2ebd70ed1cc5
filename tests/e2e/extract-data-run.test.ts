import { expect, test } from 'vitest';
import { sample } from '../support/depth.ts';
import { launched } from '../support/launched.ts';

const { site, server } = await launched();

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' }, url: { type: 'string', format: 'uri' } },
  required: ['name', 'legs'],
};
const PAGES = ['list-1', 'list-2', 'list-3'];

/** Crawls the given pages alone and answers the run's id. */
async function crawl(paths: readonly string[], render: string): Promise<string> {
  const urls = paths.map((path) => `${site.url}${path}`);
  const answer = await server.call('crawl', {
    urls,
    max_depth: 0,
    render,
    async: true,
    respect_robots: false,
  });
  const { run_id: runId } = answer.json<{ run_id: string }>();
  await expect
    .poll(
      async () => (await server.call('run_status', { run_id: runId })).json<{ status: string }>().status,
      {
        timeout: 30_000,
      },
    )
    .toBe('completed');
  return runId;
}

interface Item {
  readonly page: string;
  readonly record: { readonly name: string; readonly legs: number; readonly url: string };
}

test.each(sample(['always', 'never'], 2))(
  'the pages of a crawl, rendered %s: one item a record, in order',
  async (render) => {
    const runId = await crawl([...PAGES.map((page) => `/cards/${page}.html`), '/__/status/404'], render);
    const answer = await server.call('extract_data', { run: runId, multiple: true, schema: SCHEMA });
    const items = answer.json<Item[]>();
    const names = (page: string) =>
      items.filter((item) => item.page.endsWith(`/${page}.html`)).map(({ record }) => record.name);
    expect(PAGES.map(names)).toEqual([
      ['Ant', 'Bee', 'Cat', 'Ant'],
      ['Cat', 'Dog', 'Elk', 'Fox'],
      ['Fox', 'Gnu', 'Hen', 'Ibis'],
    ]);
    expect(items.find(({ record }) => record.name === 'Hen')?.record).toEqual({
      name: 'Hen',
      legs: 2,
      url: `${site.url}/animal/hen`,
    });
  },
);

test('pages without scripts answer as pages in tabs do', async () => {
  const runId = await crawl(['/structured-data/product-graph.html', '/tables/spans.html'], 'never');
  const schema = {
    type: 'object',
    properties: { country: { type: 'string' }, area: { type: 'integer' } },
    required: ['country', 'area'],
  };
  const items = (await server.call('extract_data', { run: runId, multiple: true, schema })).json<
    { record: unknown }[]
  >();
  expect(items.map(({ record }) => record)).toEqual([
    { country: 'Norway', area: 385207 },
    { country: 'Sweden', area: 450295 },
    { country: 'Estonia', area: 45339 },
    { country: 'Latvia', area: 64589 },
  ]);
});

test('a schema that no page matches', async () => {
  const runId = await crawl(['/cards/list-1.html'], 'never');
  const schema = { type: 'object', properties: { wingspan: { type: 'number' } } };
  const answer = await server.call('extract_data', { run: runId, multiple: true, schema });
  expect(answer.code()).toBe('nothing_matched');
});
