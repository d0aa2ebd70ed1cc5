import { toSpillwayError } from '../../../shared/errors.ts';
import type { Held } from './act-page.ts';

/**
 * Finds a target and works on it. A page that renders itself while it is typed into may replace the element
 * before input reaches it: then the target is looked for again, until the time is over.
 *
 * @throws SpillwayError what `find` and `work` throw; `stale_ref` for an element that is gone without a
 * successor
 */
export async function whileFound<T>(
  find: () => Promise<Held>,
  waitMs: number,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let gone: unknown = null;
  for (;;) {
    const held = await find().catch((thrown: unknown) => {
      throw gone ?? thrown;
    });
    try {
      return await work(held);
    } catch (thrown) {
      if (toSpillwayError(thrown).code !== 'stale_ref' || performance.now() >= until) throw thrown;
      gone = thrown;
    }
  }
}
