import { payloadOf } from '../../support/clean.ts';
import { expect, it } from 'vitest';
import type { SelectionRequest, ToolSelector } from '../../../server/core/registry/selector.ts';
import { callContext, testRegistry } from '../../support/session.ts';
import { createFindTools } from '../../../server/find-tools/find_tools.runtime.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

const registry = testRegistry(MANIFESTS);

interface Found {
  readonly next?: string;
  readonly matches: readonly { readonly name: string; readonly listed: boolean }[];
  readonly less_likely?: readonly string[];
}

async function matches(selector: ToolSelector, query: string): Promise<readonly string[]> {
  const payload = payloadOf(
    await createFindTools({ registry })({ query } as never, callContext({ selector })),
  );
  const { value } = payload as unknown as { value: Found };
  return value.matches.map(({ name }) => name);
}

it("a selector of the caller's own is given all tools that can be found and a budget, and its order stays", async () => {
  const asked: SelectionRequest[] = [];
  const backwards: ToolSelector = {
    select: (request) => {
      asked.push(request);
      return Promise.resolve({ tools: request.tools.toReversed(), notes: [] });
    },
  };
  const names = registry.all().map(({ manifest }) => manifest.name);
  expect(await matches(backwards, 'whatever')).toEqual(names.toReversed().slice(0, 10));
  expect(asked).toMatchObject([{ query: 'whatever', budget_tokens: 8_000 }]);
  expect(asked[0]?.tools.map(({ name }) => name)).toEqual(names);
});

it("a selector of the caller's own brings no tool that cannot be found", async () => {
  const inventive: ToolSelector = {
    select: async ({ tools: [first] }) => ({
      tools: first === undefined ? [] : [{ ...first, name: 'rm_rf' }, first],
      notes: [],
    }),
  };
  expect(await matches(inventive, 'whatever')).toHaveLength(1);
});

it.each([
  ['save this page as pdf', 'page_pdf', 4],
  ['read the clipboard', 'clipboard', 1],
  ['accept the alert', 'dialog', 1],
  ['cancel a crawl', 'run_cancel', 1],
  ['save a CSV', 'output_keep', 3],
  ['take the csv the page downloaded', 'downloads', 4],
])('tools that fit far worse than the best are only named: %s', async (query, best, most) => {
  const produced = await createFindTools({ registry })({ query } as never, callContext());
  const { value } = payloadOf(produced) as unknown as { value: Found };
  expect(value.matches[0]?.name).toBe(best);
  expect(value.matches.length).toBeLessThanOrEqual(most);
  expect(value.less_likely?.join()).toMatch(/\w+/);
  expect(value.next).toEqual(
    value.matches[0]?.listed === true ? undefined : expect.stringContaining(`"select":["${best}"]`),
  );
});
