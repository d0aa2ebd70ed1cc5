import { z } from 'zod';
import type { CallContext } from '../../server/core/context.ts';
import type { Produced } from '../../server/core/result.ts';
import type { RuntimeLoader } from '../../server/core/index.ts';
import { defineTool } from '../../shared/core/tools/manifest.ts';

/** A tool whose call reports its progress and ends when a test lets it. */
export class GatedTool {
  readonly manifest = defineTool({
    name: 'gated',
    title: 'Gated',
    category: 'dev',
    tier: 2,
    risk: 'none',
    does: 'Waits for a test.',
    input: z.strictObject({ text: z.string().default('done') }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    tasks: 'optional',
  });
  readonly #calls: GatedCall[] = [];
  #wake: () => void = () => undefined;

  get runtimes(): Readonly<Record<string, RuntimeLoader>> {
    return { gated: () => Promise.resolve({ gated: this.#run }) };
  }

  async next(): Promise<GatedCall> {
    for (;;) {
      const call = this.#calls.shift();
      if (call !== undefined) return call;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  readonly #run = ({ text }: { text: string }, context: CallContext): Promise<Produced> =>
    new Promise((resolve, reject) => {
      const { signal } = context;
      const answered: Produced = {
        payload: { kind: 'text', mimeType: 'text/plain', chunks: oneChunk(text) },
        outcome: () => ({ state: {}, coverage: [] }),
      };
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#calls.push({
        signal,
        progress: (done) => context.progress({ done, total: 100, message: `step ${done}` }),
        end: () => resolve(answered),
      });
      this.#wake();
    });
}

export type GatedCall = { readonly signal: AbortSignal; progress(done: number): void; end(): void };

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text;
}
