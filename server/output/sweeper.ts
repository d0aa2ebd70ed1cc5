import type { Logger } from '../core/services.ts';
import type { OutputStore } from './store.ts';

/** The longest delay that a timer takes. */
const TIMER_MAX_MS = 2 ** 31 - 1;

interface SweeperOptions {
  readonly store: Pick<OutputStore, 'sweep'>;
  /** `--output-handle-sweep-interval-seconds` */
  readonly intervalSeconds: number;
  readonly logger: Logger;
}

/**
 * Sweeps now, and then at every tick. Its timer never keeps the process alive; a sweep that fails is logged, and the
 * next one comes. `stop` ends the ticks and waits for an active sweep.
 */
export function startSweeper({ store, intervalSeconds, logger }: SweeperOptions): { stop(): Promise<void> } {
  const sweep = (): Promise<void> =>
    store.sweep().then(
      (report) => logger.debug(report, 'output store swept'),
      (thrown: unknown) => logger.warn({ err: thrown }, 'sweeping the output store failed'),
    );
  let sweeping = sweep();
  const tick = (): void => void (sweeping = sweep());
  const timer = setInterval(tick, Math.min(Math.max(intervalSeconds * 1000, 1), TIMER_MAX_MS)).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
