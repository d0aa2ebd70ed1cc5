import { expect, it } from 'vitest';
import { expectFit } from '../../../../server/upstreams/mcp/failures.ts';
import type { JsonObject } from '../../../../shared/base/json.ts';

const rows = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ at, b: [at] }));
const listOf = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { list: { type: 'array', items, ...more } },
});
const AS = listOf({ type: 'string', pattern: '^(a+)+$' });
const UNIQUE = listOf({}, { uniqueItems: true });
const CHOICES = listOf({
  anyOf: Array.from({ length: 50 }, (_, at) => ({ properties: { b: { const: at } } })),
});

it.each<[schema: JsonObject, list: readonly unknown[], problem: string | null]>([
  [AS, ['aaa'], null],
  // A pattern, and comparisons of each with each, that would not end.
  [AS, [`${'a'.repeat(60)}!`], 'list.0: must match pattern "^(a+)+$"'],
  [UNIQUE, rows(40_000), null],
  [UNIQUE, [...rows(40_000), { b: [7], at: 7 }], 'list: must NOT have duplicate items'],
  // As many checks as values, times those of the schema: a small answer is checked, a large one is not.
  [CHOICES, rows(10).map(() => ({ b: 60 })), 'list.0.b: must be equal to constant'],
  [CHOICES, rows(60_000).map(() => ({ b: 60 })), null],
])('an answer is checked by an output schema in a bounded time', async (schema, list, problem) => {
  const checked = expectFit('odd', schema, { list });
  if (problem === null) await expect(checked).resolves.toBeUndefined();
  else await expect(checked).rejects.toThrow(problem);
});
