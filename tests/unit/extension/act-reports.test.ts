import { expect, it } from 'vitest';
import { witness } from '../../../extension/background/act/pointer.ts';
import { describeAct } from '../../../extension/background/act/receipt.ts';
import { abortable } from '../../../shared/async.ts';
import { installBrowser } from '../../support/browser-api.ts';

const { signal } = new AbortController();
const LAST = { at: 'clicked', ok: true };

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
  const options = { ...does, denied, attached: {}, opened: { take: async () => [] } } as never;
  const none = { done: [], errors: [], notes: [], hidden: [] };
  const outcome = { ...none, dialog: () => dialog, signal: interrupt.signal };
  const params = { tab_id: 7, caller: {}, show: 'diff' } as never;
  const notes = ['the page was denied a permission: camera, geolocation'];
  const receipt = await describeAct(params, options, { ...outcome, failed: null } as never);
  expect(receipt).toMatchObject({ text: null, notes, dialog });
});

it('a press has arrived by all reports that come while the page is asked about it', async () => {
  const reports: object[] = [];
  const ask = async () => ({ isPresent: true, isResized: !reports.push({ at: 'pressed', ok: true }, LAST) });
  const watch = { next: async () => reports.shift() ?? null } as never;
  const held = { page: { ask }, facts: { held: 1, line: 'button' } } as never;
  const sent = { sent: [], isDone: ({ at }: { at: string }) => at === LAST.at };
  expect(await witness({ signal } as never, held, watch, sent)).toEqual({ note: null });
});
