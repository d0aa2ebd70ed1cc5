import { expect, it, onTestFinished, vi } from 'vitest';
import type { AdapterResource } from '../../../server/adapters/mcp/session.ts';
import { Subscriptions } from '../../../server/adapters/mcp/subscriptions.ts';
import type { Resources } from '../../../server/core/resources.ts';
import { SpillwayError } from '../../../shared/errors.ts';

const URI = 'spillway://output/oh_AAAAAAAAAAAA';

/** Handles whose looks end when the test says so. */
class Rig {
  readonly updates: string[] = [];
  readonly #looks: { found: (leftMs: number) => void; missed: () => void }[] = [];
  #end: (handle: string) => void = () => undefined;
  readonly subscriptions: Subscriptions;

  constructor(signal: AbortSignal = new AbortController().signal, own: readonly AdapterResource[] = []) {
    const outputs = {
      onEnd: (listener: (handle: string) => void) => {
        this.#end = listener;
        return () => undefined;
      },
      facts: () =>
        new Promise((resolve, reject) => {
          this.#looks.push({
            found: (leftMs) => resolve({ expiresAtMs: Date.now() + leftMs }),
            missed: () => reject(new SpillwayError('output_handle_not_found', 'It is not there.')),
          });
        }),
    };
    this.subscriptions = new Subscriptions({
      resources: { outputs } as unknown as Resources,
      own,
      signal,
      onUpdate: (uri) => this.updates.push(uri),
    });
  }

  get looks(): number {
    return this.#looks.length;
  }

  found(look: number, leftMs = 60_000): void {
    this.#looks[look]?.found(leftMs);
  }

  missed(look: number): void {
    this.#looks[look]?.missed();
  }

  end(): void {
    this.#end('oh_AAAAAAAAAAAA');
  }
}

it('a second subscription waits for the look of the first, and fails with it', async () => {
  const rig = new Rig();
  const [first, second] = [rig.subscriptions.subscribe(URI), rig.subscriptions.subscribe(URI)];
  const ends = Promise.allSettled([first, second]);
  expect(rig.looks).toBe(1);
  rig.missed(0);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('a look that fails takes away its own subscription, not the one that came after it', async () => {
  const rig = new Rig();
  const left = rig.subscriptions.subscribe(URI);
  rig.subscriptions.unsubscribe(URI);
  const kept = rig.subscriptions.subscribe(URI);
  rig.found(1);
  await kept;
  rig.missed(0);
  await expect(left).rejects.toMatchObject({ code: 'output_handle_not_found' });
  rig.end();
  expect(rig.updates).toEqual([URI]);
});

it('nothing is followed once the session has ended', async () => {
  let followed = 0;
  const own: AdapterResource = {
    matches: (uri) => uri === 'test://own',
    read: async () => [],
    onUpdate: () => {
      followed += 1;
      return () => undefined;
    },
  };
  const rig = new Rig(AbortSignal.abort(), [own]);
  await rig.subscriptions.subscribe(URI);
  await rig.subscriptions.subscribe('test://own');
  expect([rig.looks, followed]).toEqual([0, 0]);
});

it('a handle that is past its end by a clock that jumped is looked at as seldom as a run that has stopped', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const rig = new Rig();
  const subscribed = rig.subscriptions.subscribe(URI);
  rig.found(0, -3_600_000);
  await subscribed;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(rig.looks).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(rig.looks).toBe(2);
});
