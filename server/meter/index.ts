import type { Logger } from '../core/services.ts';
import type { Counter } from './counter.ts';
import { LiveMeter } from './meter.ts';

export { LiveMeter } from './meter.ts';
export { createMeterMethods } from './methods.ts';

/** A meter whose thread starts when there is something to count. */
export function createMeter(options: {
  readonly budgetTokens: number | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}): LiveMeter {
  const { budgetTokens = null, logger } = options;
  return new LiveMeter({ budgetTokens, logger, counter: startedLate() });
}

/** A start loads nothing of what counts. */
function startedLate(): Counter {
  let thread: Counter | null = null;
  return {
    count: async (texts) => {
      const { TokenThread } = await import('./token-thread.ts');
      return (thread ??= new TokenThread()).count(texts);
    },
    close: async () => thread?.close(),
  };
}
