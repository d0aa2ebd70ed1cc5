import { it, type TestContext } from 'vitest';

/** Set by `npm run test:deep`, which runs every `*.deep.test.ts` too. */
const IS_DEEP = process.env.SPILLWAY_DEEP === '1';

/** How many rounds a property gets: a few in the gate, all in the deep run. */
export const rounds = (deep: number, gate: number): number => (IS_DEEP ? deep : gate);

/** Every case in the deep run; in the gate one of each `step`: the first, or the one at `from`. */
export const sample = <T>(cases: readonly T[], step: number, from = 0): readonly T[] =>
  IS_DEEP ? cases : cases.filter((_, at) => at % step === from);

interface DeepTest {
  (name: string, run: (context: TestContext) => unknown): void;
  (name: string, options: { readonly timeout: number }, run: (context: TestContext) => unknown): void;
  readonly each: typeof it.each;
}
const leaveOut = (): void => undefined;

/** A test only of the deep run, in a file whose set-up serves the gate too. */
export const itDeep: DeepTest = IS_DEEP ? it : Object.assign(leaveOut, { each: () => leaveOut });
