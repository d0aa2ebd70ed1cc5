import { hop, pass, type Hop } from '../core/hop.ts';
import type { QueuePlace } from './connection.ts';

/** The queue of `--queue`, and who takes pages from it. */
export function createHop({
  queue,
  ...place
}: Partial<QueuePlace> & { readonly home: string }): Hop<unknown> | null {
  if (queue === undefined) return null;
  return hop('queue', 'Queue', 60_000, async () => {
    const { inspectQueue, QueueKey } = await import('./index.ts');
    await QueueKey.ofHome(place);
    const { evidence, warnings } = await inspectQueue({ queue, ...place });
    return pass(evidence, warnings);
  });
}
