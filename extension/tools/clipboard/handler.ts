import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { topOf } from '../../background/policy/documents.ts';

const Evaluated = z.object({ result: z.object({ value: z.optional(z.nullable(z.string())) }) });

/** The keys of copying and pasting, as the browser's own editing commands. */
const KEYS = {
  copy: { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67 },
  paste: { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86 },
} as const;

const exchange = (kind: keyof typeof KEYS, text: string): string => `new Promise((resolve) => {
  const on = (type, take) => addEventListener(type, (event) => (event.preventDefault(), take(event)));
  on('before${kind}', () => {});
  on('${kind}', ({ clipboardData: data }) => {
    ${kind === 'paste' ? `resolve(data.getData('text/plain'));` : `data.setData('text/plain', ${JSON.stringify(text)}); resolve('');`}
  });
  setTimeout(resolve, 2000, null);
})`;

/**
 * The method of `clipboard`. A blank tab of our own takes the keys, so that no page sees them or the text, and the
 * extension needs no permission.
 */
export const createHandlers = ({
  debuggers,
}: Pick<WorkerServices, 'debuggers'>): Pick<Handlers, 'page.clipboard'> => ({
  'page.clipboard': async ({ tab_id: tabId, text }, { signal, policy }) => {
    const { windowId } = await getReadableTab(tabId);
    const top = await topOf(tabId);
    if (top === null) throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
    await policy.expect(top, ['evaluate']);
    policy.began();
    const kind = text === null ? 'paste' : 'copy';
    const { id: blank = -1 } = await browser.tabs.create({
      url: 'about:blank',
      active: false,
      ...(windowId !== undefined && { windowId }),
    });
    try {
      const lease = await debuggers.acquire(blank, signal);
      try {
        const taken = lease.send('Runtime.evaluate', {
          expression: exchange(kind, text ?? ''),
          awaitPromise: true,
          returnByValue: true,
        });
        taken.catch(() => undefined);
        const key = { ...KEYS[kind], modifiers: 2 };
        await lease.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: [kind], ...key });
        await lease.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
        const { value = null } = Evaluated.parse(await taken).result;
        if (value === null)
          throw new SpillwayError('clipboard_refused', 'The browser did not take the keys of the clipboard.');
        return { url: top.url, text: value };
      } finally {
        await lease.release();
      }
    } finally {
      await browser.tabs.remove(blank).catch(() => undefined);
    }
  },
});
