import type { Logger } from '../core/services.ts';
import type { OutputStore } from './store.ts';

/** Sweeps at the start and then at every tick. */
export interface Sweeper {
  /** Begins, without waiting for the first sweep. Idempotent. */
  start(): void;
  /** Ends the ticks and waits for an active sweep. Idempotent. */
  stop(): Promise<void>;
}

/** The longest delay that a timer takes. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export interface SweeperOptions {
  readonly store: Pick<OutputStore, 'sweep'>;
  /** `--output-handle-sweep-interval-seconds` */
  readonly intervalSeconds: number;
  readonly logger: Logger;
}

/** Its timer never keeps the process alive; a sweep that fails is logged, and the next one comes. */
export function createSweeper({ store, intervalSeconds, logger }: SweeperOptions): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  const tick = async (): Promise<void> => {
    try {
      const report = await store.sweep();
      logger.debug(report, 'output store swept');
    } catch (thrown) {
      logger.warn({ err: thrown }, 'sweeping the output store failed');
    }
  };

  return {
    start: () => {
      if (timer !== undefined) return;
      const run = (): void => {
        inFlight = tick();
      };
      timer = setInterval(run, Math.min(Math.max(intervalSeconds * 1000, 1), TIMER_MAX_MS));
      timer.unref();
      run();
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      await inFlight;
    },
  };
}
