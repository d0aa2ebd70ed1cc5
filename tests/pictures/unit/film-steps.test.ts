import { expect, it, vi } from 'vitest';
import { serveJobs } from '../../../extension/core/offscreen/jobs.ts';
import { defer } from '../../../shared/base/async.ts';
import { installBrowser } from '../../support/browser-api.ts';

const encoder = vi.hoisted(() => ({ taken: [] as string[], isFree: Promise.resolve() }));
vi.mock('../../../extension/pictures/offscreen/film.ts', () => ({
  Film: class {
    async take({ is, data = is }: { is: string; data?: string }): Promise<void> {
      encoder.taken.push(data);
      await encoder.isFree;
    }
  },
}));

const parser = vi.hoisted(() => ({ pages: new Set<number>(), most: 0 }));
vi.mock('../../../extension/core/offscreen/parser-frame.ts', async (original) => ({
  ...(await original<object>()),
  ParserFrame: class {
    #last = 0;
    nextId = () => (this.#last += 1);
    close = (id: number) => void parser.pages.delete(id);
    async ask({ type: text, id }: { type: string; id: number }) {
      const type = text === 'open' ? 'opened' : parser.pages.delete(id) ? 'part' : 'unknown';
      if (text === 'open') parser.most = Math.max(parser.most, parser.pages.add(id).size);
      const facts = { error: null, isShell: true, robots: [] };
      return { answer: { type, facts, text, isLast: text === 'next' }, tookMs: 1 };
    }
  },
}));

/** The worker's end: it asks for each further part. */
function serve() {
  let send: (message: object) => void = () => undefined;
  const texts: string[] = [];
  const postMessage = ({ id, text, done }: { id: number; text: string; done: object | null }) => {
    texts.push(text);
    if (done === null) send({ type: 'pull', id });
  };
  const onMessage = { addListener: (listener: typeof send) => void (send = listener) };
  const onDisconnect = { addListener: () => undefined };
  installBrowser({ runtime: { connect: () => ({ onMessage, onDisconnect, postMessage }) } });
  serveJobs();
  return { texts, send };
}

it('has one large page at a time in the parser, and none while a tab renders it', async () => {
  const [url, body] = ['https://a.test/', ' '.repeat(1024 * 1024)];
  vi.stubGlobal('fetch', async () => Object.defineProperty(new Response(body), 'url', { value: url }));
  const { texts, send } = serve();
  const what = { kind: 'page', format: 'text', mainContentOnly: false, extract: null };
  const job = { url, timeoutMs: 9_000, maxBytes: 9_000_000, holdsShell: true, what };
  for (const id of [1, 2]) send({ type: 'fetch', id, job });
  await expect.poll(() => texts).toEqual(['', '']);
  for (const id of [1, 2]) send({ type: 'pull', id });
  await expect.poll(() => texts).toEqual(['', '', 'open', 'next', 'open', 'next']);
  expect(parser.most).toBe(1);
});

it('leaves out pictures that a slow encoder cannot take, but no act, nor the last picture before it', async () => {
  const free = defer<void>();
  encoder.isFree = free.promise;
  const { send } = serve();
  const take = (step: object): void => send({ type: 'film', id: 1, step: { at: 1, ...step } });
  const view = { width: 1, height: 1 };
  const draw = (names: string): void => {
    for (const data of names) take({ is: 'picture', data, view, covers: [] });
  };
  take({ is: 'begin', format: 'webm', width: 320, maxBytes: 1 });
  await expect.poll(() => encoder.taken).toEqual(['begin']);
  draw('abcdef');
  take({ is: 'act', text: 'Grind', box: null, point: null });
  draw('gh');
  free.resolve();
  await expect.poll(() => encoder.taken).toEqual(['begin', 'a', 'b', 'f', 'act', 'h']);
});
