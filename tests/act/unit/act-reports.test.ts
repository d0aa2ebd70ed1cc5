import { expect, it } from 'vitest';
import { ActPage } from '../../../extension/act/worker/act-page.ts';
import { describeAct } from '../../../extension/act/worker/receipt.ts';
import { abortable } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { installBrowser } from '../../support/browser-api.ts';

const { signal } = new AbortController();

it('a dialog that opens while the page is read for a receipt ends the read, and the receipt has it', async () => {
  installBrowser({
    tabs: { get: async () => ({ id: 7, windowId: 1, url: 'https://a.test/' }) },
    scripting: { executeScript: async () => [{ result: ['geolocation'] }] },
  });
  const interrupt = new AbortController();
  let dialog: object | null = null;
  const connect = (_place: object, how: { signal: AbortSignal }) => {
    dialog = { type: 'alert', message: 'Sure?' };
    interrupt.abort(new Error('dialog'));
    return abortable(new Promise(() => undefined), how.signal);
  };
  const downloads = { lastAct: () => 0, ended: async () => undefined, of: () => [] };
  const does = { channels: { guardedBy: () => ({ connect }) }, downloads, traffic: { pending: [] }, signal };
  const denied = Promise.resolve(['camera']);
  const input = {};
  const options = { ...does, denied, input, opened: { take: async () => [] } } as never;
  const none = { done: [], errors: [], notes: [], hidden: [] };
  const outcome = { ...none, dialog: () => dialog, signal: interrupt.signal };
  const params = { tab_id: 7, caller: {}, show: 'diff' } as never;
  const notes = ['the page was denied a permission: camera, geolocation'];
  const receipt = await describeAct(params, options, { ...outcome, failed: null } as never);
  expect(receipt).toMatchObject({ text: null, notes, dialog });
});

it.each([
  ['clicked', true],
  ['moved', false],
])('a press whose page goes away once it is %s has arrived: %s', async (at, hasArrived) => {
  installBrowser({ tabs: { get: async () => Promise.reject(new Error('No tab.')) } });
  const news = [{ type: 'seen', at }];
  const gone = new SpillwayError('page_changed', 'The page was closed.');
  const receive = async (): Promise<object> => news.shift() ?? Promise.reject(gone);
  const channel = { tabId: 7, open: () => 1, post: () => undefined, release: () => undefined, receive };
  const gate = { send: (_to: object, _how: null, work: () => unknown) => work() };
  const page = new ActPage(channel as never, {} as never, gate as never);
  const step = { kind: 'point', gesture: 'press', position: null, ends: 'clicked' };
  const traffic = { pending: [], changedAt: 0, change: () => new Promise(() => undefined) };
  const doing = page.step({ held: 1, step, how: {}, waitMs: 0 } as never, { traffic } as never, signal);
  expect(await doing.then(({ notes }) => notes, toSpillwayError)).toEqual(
    hasArrived ? [] : expect.any(SpillwayError),
  );
});
