import { expect, it } from 'vitest';
import { openInput } from '../../../extension/platform/firefox/device.ts';
import { installBrowser } from '../../support/browser-api.ts';

const left = { button: 'left', clickCount: 1, modifiers: 0 } as const;
const at = { x: 5, y: 5 };
const stroke = { key: 'a', code: 'KeyA', number: 65, modifiers: 0 } as const;

it.each([
  ['nothing after a click', 0, ['press', 'release']],
  ['a button that is still down', 1, ['press']],
  ['a key that is still down', 1, ['down']],
  ['nothing after a key', 0, ['down', 'up']],
  ['a button that the browser may not have let go', 1, ['press', 'release', 'fails']],
])('the input of Firefox releases %s', async (_, releases, what) => {
  installBrowser({
    webNavigation: { getFrame: async () => ({ documentId: 'top' }) },
    scripting: { executeScript: async () => [{ documentId: 'top', result: 'context' }] },
  });
  const asked: string[] = [];
  const request = async (method: string): Promise<object> => {
    asked.push(method);
    if (method === 'input.perform' && what.includes('fails')) throw new Error('failed');
    return method === 'input.dialogs' ? new Promise(() => undefined) : {};
  };
  const signal = new AbortController().signal;
  const input = await openInput({ tabId: 7, attached: null, server: { request }, signal } as never);
  const device = input?.device(null, () => undefined);
  const done = {
    press: () => device?.press(at, left),
    release: () => device?.release(at, left),
    down: () => device?.key('down', stroke),
    up: () => device?.key('up', stroke),
    fails: async () => undefined,
  };
  await Promise.allSettled(what.map(async (name) => done[name as keyof typeof done]()));
  await input?.release();
  expect(asked.filter((method) => method === 'input.release')).toHaveLength(releases);
});
