import { readdirSync } from 'node:fs';
import { createBridge, type BridgeClient, type BridgeOptions } from '../../server/core/bridge/index.ts';
import type { Logger } from '../../server/core/services.ts';
import { defer } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { FakeWorker, type FakeWorkerOptions } from './fake-worker.ts';
import { testFolder } from './test-folder.ts';

const silent = (): void => undefined;
export const silentLogger: Logger = { debug: silent, info: silent, warn: silent, error: silent };
export const realClock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A private bridge directory, and hosts and servers on it that all end with the test. */
export class BridgeRig {
  readonly directory = testFolder();
  readonly #bridges: BridgeClient[] = [];
  readonly #workers: FakeWorker[] = [];
  readonly #isHostHere: boolean;

  /** @param isHostHere see `FakeWorkerOptions` */
  constructor({ isHostHere = false } = {}) {
    this.#isHostHere = isHostHere;
  }

  get #own(): FakeWorkerOptions {
    return { directory: this.directory, isHostHere: this.#isHostHere };
  }

  bridge(options: Partial<BridgeOptions> = {}): BridgeClient {
    const bridge = createBridge({
      logger: silentLogger,
      clock: realClock,
      directory: this.directory,
      ...options,
    });
    this.#bridges.push(bridge);
    return bridge;
  }

  async readyBridge(options: Partial<BridgeOptions> = {}): Promise<BridgeClient> {
    const bridge = this.bridge(options);
    await bridge.ready();
    return bridge;
  }

  /** A worker, and a server that is connected to it. */
  async connected(options: Partial<FakeWorkerOptions> = {}) {
    const worker = await this.worker(options);
    return { worker, bridge: await this.readyBridge() };
  }

  silentWorker(options: Partial<FakeWorkerOptions> = {}): FakeWorker {
    const worker = new FakeWorker({ ...this.#own, ...options });
    this.#workers.push(worker);
    return worker;
  }

  async worker(options: Partial<FakeWorkerOptions> = {}): Promise<FakeWorker> {
    const worker = await FakeWorker.connect({ ...this.#own, ...options });
    this.#workers.push(worker);
    return worker;
  }

  /** Names of files that hosts left in the directory, except the secret. */
  leftovers(): string[] {
    return readdirSync(this.directory).filter((name) => name !== 'secret');
  }

  async close(): Promise<void> {
    await Promise.all(this.#bridges.map((bridge) => bridge.close()));
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }
}

/** The coded error that a promise rejects with; anything else fails the test. */
export async function coded(work: Promise<unknown>): Promise<SpillwayError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SpillwayError) return error;
    throw error;
  }
  throw new Error('It should have failed with a coded error.');
}

/** A handler that waits for its cancellation and records it. */
export function endless() {
  const { promise: cancelled, resolve: tell } = defer<void>();
  const handler = (_: object, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        tell();
        reject(signal.reason);
      });
    });
  return { handler, cancelled };
}
