import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import type { RunChange, RunKey } from '../../../server/core/runs.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { codeOf } from '../../support/code-of.ts';
import { listOf, request, setUp, waiting } from './support.ts';

const part = fc.oneof(
  fc.maxSafeNat(),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', '\x01', '\x1e', '\x1f', '\xff', 'a', 'b', '1', '\u{1F600}', '\uFFFD'),
);
const key = fc.array(part, { minLength: 1, maxLength: 3 });
const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
const operation = fc.oneof(fc.record({ put: key, value }), fc.record({ remove: key }));
const step = fc.record({
  items: fc.array(value, { maxLength: 3 }),
  operations: fc.array(operation, { maxLength: 6 }),
  isThrowing: fc.boolean(),
  isAwaited: fc.boolean(),
});

/** Part by part: numbers before strings, strings by their bytes. */
function compareKeys(a: RunKey, b: RunKey): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

class Model {
  entries = new Map<string, { key: RunKey; value: JsonValue }>();
  items: JsonValue[] = [];

  apply(items: readonly JsonValue[], operations: readonly Operation[]): void {
    this.items.push(...items);
    for (const one of operations)
      if ('put' in one) this.entries.set(JSON.stringify(one.put), { key: one.put, value: one.value });
      else this.entries.delete(JSON.stringify(one.remove));
  }

  range(start: RunKey, end: RunKey, limit?: number) {
    return [...this.entries.values()]
      .filter((entry) => compareKeys(entry.key, start) >= 0 && compareKeys(entry.key, end) < 0)
      .sort((a, b) => compareKeys(a.key, b.key))
      .slice(0, limit);
  }
}

type Operation = { put: RunKey; value: JsonValue } | { remove: RunKey };

const asJson = (entry: unknown): unknown => JSON.parse(JSON.stringify(entry));

it('is what its commits made it, whichever came together and whichever threw', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      key,
      key,
      fc.nat({ max: 5 }),
      async (steps, a, b, limit) => {
        const model = new Model();
        const seen: unknown[] = [];
        const { runs } = await setUp({
          work: async (_args, scope) => {
            const change = (operations: Operation[], isThrowing: boolean) => (to: RunChange) => {
              for (const one of operations)
                if ('put' in one) {
                  to.put(one.put, scope.redact(one.value));
                  seen.push([to.get(one.put), one.value]);
                } else to.remove(one.remove);
              if (isThrowing) throw new Error('undone');
            };
            const under: Promise<unknown>[] = [];
            for (const { items, operations, isThrowing, isAwaited } of steps) {
              const end = codeOf(scope.commit({ items, change: change(operations, isThrowing) }));
              under.push(end.then((code) => expect(code === 'internal_error').toBe(isThrowing)));
              if (isAwaited) await Promise.all(under);
              if (!isThrowing) model.apply(items, operations);
            }
            await Promise.all(under);
            const [start, end] = compareKeys(a, b) < 0 ? [a, b] : [b, a];
            const whole = { start: [], end: ['\u{10FFFF}', '\u{10FFFF}'] };
            expect([...scope.state.range(whole)]).toEqual(asJson(model.range(whole.start, whole.end)));
            expect([...scope.state.range({ start, end, limit })]).toEqual(
              asJson(model.range(start, end, limit)),
            );
            return { state: {}, coverage: [] };
          },
          redactor: createRedactor({ enabled: false }),
        });
        const { run_id } = await runs.start(request());
        const result = await runs.wait(run_id, waiting());
        expect(result?.view.error).toBeNull();
        for (const [got, put] of seen.map(asJson) as [JsonValue, JsonValue][]) expect(got).toEqual(put);
        expect(await listOf((await runs.result(run_id)).items())).toEqual(asJson(model.items));
        await runs.close();
      },
    ),
    { numRuns: rounds(30, 6) },
  );
});
