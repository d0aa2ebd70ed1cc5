import { expect, it } from 'vitest';
import { castTab } from '../../../extension/platform/chromium/debugger/cast.ts';
import type { DebuggerLease } from '../../../extension/platform/chromium/debugger/sessions.ts';
import { defer } from '../../../shared/base/async.ts';

let tabs = 0;

function tab() {
  const tabId = (tabs += 1);
  const sent: string[] = [];
  const started = defer<Record<string, unknown>>();
  const lease = (): DebuggerLease =>
    ({
      tabId,
      signal: new AbortController().signal,
      send(method: string) {
        sent.push(method);
        return method === 'Page.startScreencast' ? started.promise : Promise.resolve({});
      },
    }) as unknown as DebuggerLease;
  return { lease, sent, started };
}

it('starts one cast of a tab for all its callers, and stops it with the last', async () => {
  const { lease, sent, started } = tab();
  const casting = [castTab(lease()), castTab(lease())] as const;
  let isDrawing = false;
  void casting[1].then(() => (isDrawing = true));
  await new Promise(setImmediate);
  expect(isDrawing).toBe(false);
  started.resolve({});
  const [first, second] = await Promise.all(casting);
  await first?.();
  await first?.();
  expect(sent).toEqual(['Page.startScreencast']);
  await second?.();
  expect(sent).toEqual(['Page.startScreencast', 'Page.stopScreencast']);
});

it('stops a cast that did not restart at once', async () => {
  const { lease, sent, started } = tab();
  started.resolve({});
  const one = lease();
  const { send } = one;
  const stop = await castTab(one);
  Object.assign(one, { send: () => Promise.reject(new Error('The page hangs.')) });
  await expect(castTab(one, undefined, {} as never)).rejects.toThrow('hangs');
  await castTab(Object.assign(one, { send }));
  await stop();
  expect(sent.slice(1)).toEqual(['Page.startScreencast', 'Page.stopScreencast']);
});

it('does not start again a cast that is stopped while it restarts', async () => {
  const { lease, sent, started } = tab();
  started.resolve({});
  const one = lease();
  const stop = await castTab(one);
  const again = castTab(one, undefined, {} as never);
  await stop();
  await again;
  expect(sent).toEqual(['Page.startScreencast', 'Page.stopScreencast']);
});
