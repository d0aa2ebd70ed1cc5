import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';
import { testFolder } from './test-folder.ts';

export const SPOTS = {
  question: '"kind":"question"',
  decision: '"kind":"decision"',
  act: '"kind":"act"',
  outcome: '"kind":"outcome"',
  /** The row of a call that outlives its server. */
  kept: '"lifetime":{',
} as const;
export type Spot = keyof typeof SPOTS;

/** Delays or fails servers' writes, line by line. `staged-disk.ts` is the other end. */
export class Stage {
  readonly #folder = testFolder();
  readonly #program: string;

  /** @param program the bundled `staged-disk.ts` */
  constructor(program: string) {
    this.#program = program;
  }

  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${this.#program}`, SPILLWAY_TEST_STAGE: this.#folder };
  }

  /** Lines of that kind wait before they are written. */
  hold(spot: Spot): void {
    writeFileSync(join(this.#folder, spot), 'hold');
  }

  /** Lines of that kind fail with a full disk. */
  fill(spot: Spot): void {
    writeFileSync(join(this.#folder, spot), 'full');
  }

  async held(spot: Spot): Promise<void> {
    await vi.waitFor(() => {
      if (!existsSync(join(this.#folder, `${spot}.held`))) throw new Error(`No ${spot} waits for its line.`);
    }, PATIENCE);
  }

  /** Lines of that kind, also one that waits, are written from now on. */
  free(spot: Spot): void {
    rmSync(join(this.#folder, spot), { force: true });
  }

  clear(): void {
    for (const spot of Object.keys(SPOTS)) {
      this.free(spot as Spot);
      // Left by a server that was killed while it waited.
      rmSync(join(this.#folder, `${spot}.held`), { force: true });
    }
  }
}
