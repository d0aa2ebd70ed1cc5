import { expect, it } from 'vitest';
import { z } from 'zod';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testOffers } from '../../support/offers.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

const numbered = <T>(make: (name: string) => T): T[] =>
  Array.from({ length: 130 }, (_, index) => make(`more_${String(index).padStart(3, '0')}`));

const provider = testProvider(
  'more',
  numbered((name) => testTool({ name, kind: 'upstream' })),
);
const offers = testOffers({
  resources: () => numbered((name) => ({ uri: `test://${name}`, name })),
  templates: () => numbered((name) => ({ uriTemplate: `test://${name}/{x}`, name })),
  prompts: () => numbered((name) => ({ name })),
});

const server = await startMemoryServer({}, { providers: [provider], offers });
const Page = z.looseObject({ nextCursor: z.string().optional() });
const LISTS = [
  ['tools/list', 'tools', 'name'],
  ['resources/list', 'resources', 'uri'],
  ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ['prompts/list', 'prompts', 'name'],
] as const;

const request = (method: string, params: Record<string, unknown> = {}) =>
  server.client.request({ method, params }, Page);

it.each(LISTS)('%s comes in pages of 100 that have each entry once', async (method, member, key) => {
  const sizes: number[] = [];
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page: z.infer<typeof Page> = await request(method, cursor === undefined ? {} : { cursor });
    const entries = page[member] as Record<string, unknown>[];
    sizes.push(entries.length);
    seen.push(...entries.map((entry) => entry[key]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(sizes[0]).toBe(100);
  expect(sizes).toHaveLength(2);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((name) => String(name).includes('more_'))).toHaveLength(130);
});
