import { expect, it, vi } from 'vitest';
import { Subscriptions } from '../../../server/mcp/subscriptions.ts';
import type { Resources } from '../../../server/core/upstreams.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

const URI = 'spillway://output/oh_AAAAAAAAAAAA';

function rig() {
  const { signal } = new AbortController();
  const updates: string[] = [];
  const looks: { found: (leftMs?: number) => void; missed: () => void }[] = [];
  let end: (handle: string) => void = () => undefined;
  const outputs = {
    onEnd: (listener: typeof end) => {
      end = listener;
      return () => undefined;
    },
    facts: () =>
      new Promise((resolve, reject) => {
        looks.push({
          found: (leftMs = 60_000) => resolve({ expiresAtMs: Date.now() + leftMs }),
          missed: () => reject(new SpillwayError('output_handle_not_found', 'It is not there.')),
        });
      }),
  };
  const resources = { outputs } as unknown as Resources;
  const subscriptions = new Subscriptions({
    resources,
    picks: null,
    signal,
    onUpdate: (uri) => updates.push(uri),
  });
  return { subscriptions, updates, looks, end: () => end('oh_AAAAAAAAAAAA') };
}

it('a failed poll removes its own subscription, not a later one', async () => {
  const { subscriptions, updates, looks, end } = rig();
  const left = subscriptions.subscribe(URI);
  subscriptions.unsubscribe(URI);
  const kept = subscriptions.subscribe(URI);
  looks[1]?.found();
  await kept;
  looks[0]?.missed();
  await expect(left).rejects.toMatchObject({ code: 'output_handle_not_found' });
  end();
  expect(updates).toEqual([URI]);
});

it('a handle that is past its end by a clock that jumped is looked at as seldom as a run that has stopped', async () => {
  vi.useFakeTimers();
  const { subscriptions, looks } = rig();
  const subscribed = subscriptions.subscribe(URI);
  looks[0]?.found(-3_600_000);
  await subscribed;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(looks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toHaveLength(2);
});
