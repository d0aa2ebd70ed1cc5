import type { Outcome } from '../../../server/core/result.ts';
import type { RunScope, RunWorker } from '../../../server/core/runs.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';

type Step =
  | {
      readonly what: 'read';
      readonly items: readonly JsonValue[];
      readonly queued: number;
      readonly failed: number;
    }
  | { readonly what: 'end' }
  | { readonly what: 'fail'; readonly error: Error };

export class ScriptedCrawl implements RunWorker {
  readonly #steps: Step[] = [];
  #wake: () => void = () => undefined;
  #done = 0;

  /** Commits items, and sets how many remain queued. */
  read(items: readonly JsonValue[], queued: number, failed = 0): void {
    this.#add({ what: 'read', items, queued, failed });
  }

  end(): void {
    this.#add({ what: 'end' });
  }

  fail(error: Error): void {
    this.#add({ what: 'fail', error });
  }

  #add(step: Step): void {
    this.#steps.push(step);
    this.#wake();
  }

  async run(_args: JsonObject, scope: RunScope): Promise<Outcome> {
    for (;;) {
      const step = this.#steps.shift() ?? (await this.#next(scope.signal));
      if (step.what === 'end') return { state: {}, coverage: [] };
      if (step.what === 'fail') throw step.error;
      await scope.commit({ items: step.items });
      this.#done += step.items.length;
      scope.progress({ done: this.#done, queued: step.queued, failed: step.failed });
    }
  }

  #next(signal: AbortSignal): Promise<Step> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#wake = () => {
        const step = this.#steps.shift();
        if (step === undefined) return;
        this.#wake = () => undefined;
        signal.removeEventListener('abort', onAbort);
        resolve(step);
      };
      this.#wake();
    });
  }
}

const CHAPTERS = [
  [
    'Getting started',
    'Install the library, point it at a folder, and read your first stream in five minutes.',
  ],
  [
    'Configuration',
    'Every option can be set in a file, in the environment, or by a flag; the last one wins.',
  ],
  ['Streams', 'A stream is a sequence of chunks with credits: a slow reader stops the sender.'],
  ['Back-pressure', 'Credits are counted in bytes, from end to end, so that no buffer in between grows.'],
  [
    'Retries and time-outs',
    'What is safe to repeat is repeated with growing pauses; everything has a deadline.',
  ],
  ['Errors', 'Each failure has a code, a sentence for people, and whether it is worth trying again.'],
  ['Storage layout', 'Payloads are written to a temporary name, synced, and renamed: whole, or not there.'],
  ['Command line', 'The same operations as in the library, with output that scripts can read.'],
] as const;

export function pageItem(index: number, change: JsonObject = {}): JsonObject {
  const [name, about] = CHAPTERS[index % CHAPTERS.length] ?? CHAPTERS[0];
  const version = Math.floor(index / CHAPTERS.length) + 1;
  const title = version === 1 ? name : `${name} · version ${version}`;
  const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const url = `https://docs.example.org/v${version}/${slug}`;
  return {
    url,
    final_url: url,
    depth: index === 0 ? 0 : 1 + (index % 2),
    status: 200,
    title,
    markdown: `# ${title}\n\n${about} See [the guide](https://docs.example.org/guide) for **more**.\n\n- one\n- two\n`,
    links: ['https://docs.example.org/guide', 'https://docs.example.org/api'],
    content_hash: `sha256-${index}`,
    fetched_at: '2026-03-02T09:41:00.000Z',
    timing: { fetch_ms: 48.2, parse_ms: 3.1, size_bytes: 18_204 },
    ...change,
  };
}

export const pageItems = (from: number, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, at) => pageItem(from + at));
