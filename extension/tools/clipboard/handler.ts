import * as z from 'zod/mini';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Handlers, WorkerServices } from '../../background/handler.ts';
import { getReadableTab } from '../../background/pages/targets.ts';
import { topOf } from '../../background/policy/documents.ts';

const Tree = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const World = z.object({ executionContextId: z.int() });
const Evaluated = z.object({ result: z.object({ value: z.optional(z.nullable(z.string())) }) });

/** The keys of copying and pasting, as the browser's own editing commands. */
const KEYS = {
  copy: { key: 'c', code: 'KeyC', windowsVirtualKeyCode: 67 },
  paste: { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86 },
} as const;

/** In a world of ours, before the page: it sees neither the keys nor what is on the clipboard. */
const exchange = (kind: keyof typeof KEYS, text: string): string => `new Promise((resolve) => {
  const ours = new AbortController();
  const end = (value) => { ours.abort(); resolve(value); };
  const on = (type, take) => addEventListener(type, (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    take(event);
  }, { capture: true, signal: ours.signal });
  on('before${kind}', () => {});
  on('${kind}', ({ clipboardData: data }) => {
    ${kind === 'paste' ? `end(data.getData('text/plain'));` : `data.setData('text/plain', ${JSON.stringify(text)}); end('');`}
  });
  addEventListener('keydown', (event) => event.stopImmediatePropagation(), { capture: true, signal: ours.signal });
  setTimeout(() => end(null), 2000);
})`;

/** The method of `clipboard`: no page is given the permission, and the extension needs none. */
export const createHandlers = ({
  debuggers,
}: Pick<WorkerServices, 'debuggers'>): Pick<Handlers, 'page.clipboard'> => ({
  'page.clipboard': async ({ tab_id: tabId, text }, { signal, policy }) => {
    await getReadableTab(tabId);
    const top = await topOf(tabId);
    if (top === null) throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
    await policy.expect(top, ['evaluate']);
    policy.began();
    const kind = text === null ? 'paste' : 'copy';
    const lease = await debuggers.acquire(tabId, signal);
    try {
      const { id: frameId } = Tree.parse(await lease.send('Page.getFrameTree')).frameTree.frame;
      const world = await lease.send('Page.createIsolatedWorld', {
        frameId,
        worldName: 'spillway.clipboard',
      });
      const taken = lease.send('Runtime.evaluate', {
        expression: exchange(kind, text ?? ''),
        contextId: World.parse(world).executionContextId,
        awaitPromise: true,
        returnByValue: true,
      });
      taken.catch(() => undefined);
      const key = { ...KEYS[kind], modifiers: 2 };
      await lease.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: [kind], ...key });
      await lease.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
      const { value = null } = Evaluated.parse(await taken).result;
      if (value === null)
        throw new SpillwayError('clipboard_refused', `Tab ${tabId} did not take the keys of the clipboard.`);
      return { url: top.url, text: value };
    } finally {
      await lease.release();
    }
  },
});
