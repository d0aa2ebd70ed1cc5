import { expect, it } from 'vitest';
import { createRuntimes } from '../../../server/network/network.runtime.ts';
import { callContext } from '../../support/session.ts';

const ENTRY = {
  _id: 'r1',
  _resourceType: 'fetch',
  time: 12,
  request: { url: 'https://a.test/x', method: 'GET', headers: [{ name: 'accept', value: '*/*' }] },
  response: { status: 404, content: { size: 3, text: 'no!' } },
};

/** A slice of one entry, made with `fields`. */
async function sliced(fields: readonly string[], ...pages: readonly string[]) {
  const asked: string[] = [];
  const found = {
    entries: (async function* () {
      yield ENTRY;
    })(),
    coverage: [],
    redacted: null,
    pages: pages.map((title) => ({ title })),
  };
  const entries = async (_session: unknown, { bodies }: { bodies: string }) => (asked.push(bodies), found);
  const { network } = createRuntimes({ bridge: {}, version: '1', network: { entries } } as never);
  const args = { action: 'slice', format: 'entries', tab: 'all', fields };
  const produced = (await network?.(args as never, callContext())) as unknown as {
    readonly clean: { readonly items: AsyncIterable<unknown> };
    readonly outcome: () => { readonly coverage: readonly string[] };
    readonly untrustedFrom: () => string;
  };
  const items: unknown[] = [];
  for await (const item of produced.clean.items) items.push(item);
  return { items, bodies: asked[0], from: produced.untrustedFrom(), notes: produced.outcome().coverage };
}

it.each<[string[], object, string]>([
  [['url', 'status'], { url: 'https://a.test/x', status: 404 }, 'none'],
  [['type', 'duration', 'size'], { type: 'fetch', duration: 12, size: 3 }, 'none'],
  [['body'], { body: 'no!' }, 'text'],
  [['request.method', 'status'], { request: { method: 'GET' }, status: 404 }, 'none'],
  [['request.headers.name'], { request: { headers: [{ name: 'accept' }] } }, 'none'],
])('entries have the fields %j, by their short names too', async (fields, expected, bodies) => {
  const { items, ...rest } = await sliced(fields);
  expect(items).toEqual([{ _id: 'r1', ...expected }]);
  expect(rest).toMatchObject({ notes: [], bodies });
});

it('names the fields that there are, if one is unknown', async () => {
  expect((await sliced(['error', 'verb'])).notes).toEqual([
    'No entry has error.',
    'No entry has verb.',
    expect.stringMatching(/^Fields are url, method, status, .*, and paths of HAR/),
  ]);
});

it.each([
  [[], 'the captured tabs'],
  [['https://a.test/x', 'https://a.test/y'], 'https://a.test/y'],
  [['https://a.test/x', 'https://b.test/y'], 'https://a.test, https://b.test'],
])('names the pages %j as the source', async (pages, from) =>
  expect((await sliced(['url'], ...pages)).from).toBe(from),
);
