import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { PATIENCE } from './patience.ts';

const WORKER = '/worker.js';
/** Chromium sometimes leaves a message without an answer; files borrow a browser outside any test's deadline. */
const ANSWER_MS = 30_000;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

type TargetInfo = { readonly type: string; readonly url: string; readonly targetId: string };

/** Looks into any browser of the tests. */
export type BrowserScope = Pick<
  WorkerScope,
  'clickAt' | 'clickInPage' | 'end' | 'evaluate' | 'inPage' | 'typeIn'
>;

/** The browser's own debugging pipe, to inspect what only the extension's worker can see. */
export class WorkerScope {
  readonly #in: Writable;
  readonly #out: Readable;
  readonly #waiting = new Map<number, { readonly session: string | undefined; take(answer: Answer): void }>();
  #lastId = 0;
  #text = '';
  /**
   * By the target. They are kept: if a page gets a thousand sessions one after another, Chromium leaves about one
   * without an answer.
   */
  readonly #sessions = new Map<string, string>();

  constructor(child: ChildProcess) {
    // The pipes that `spawnChromium` opens.
    this.#in = child.stdio[3] as Writable;
    this.#out = child.stdio[4] as Readable;
    this.#out.setEncoding('utf8');
    this.#out.on('data', (text: string) => {
      const parts = (this.#text + text).split('\0');
      this.#text = parts.pop() ?? '';
      for (const part of parts) {
        const answer = JSON.parse(part) as Answer;
        if (answer.id !== undefined) this.#waiting.get(answer.id)?.take(answer);
        if (answer.method === 'Target.detachedFromTarget') this.#forget(answer.params?.sessionId);
      }
    });
  }

  async #send(
    method: string,
    params: object = {},
    sessionId?: string | undefined,
  ): Promise<Record<string, unknown>> {
    const id = (this.#lastId += 1);
    const answered = new Promise<Answer>((take) => this.#waiting.set(id, { session: sessionId, take }));
    if (!this.#in.write(`${JSON.stringify({ id, method, params, sessionId })}\0`))
      await once(this.#in, 'drain');
    const late = setTimeout(
      () => this.#waiting.get(id)?.take({ error: { message: `no answer within ${ANSWER_MS} ms` } }),
      ANSWER_MS,
    );
    const { result, error } = await answered;
    clearTimeout(late);
    this.#waiting.delete(id);
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no answer'}`);
    return result;
  }

  /** A page or worker that is gone does not answer. */
  #forget(gone: string | undefined): void {
    for (const [target, session] of this.#sessions) if (session === gone) this.#sessions.delete(target);
    for (const { session, take } of this.#waiting.values())
      if (session !== undefined && session === gone) take({ error: { message: 'The page is gone.' } });
  }

  async #target(wanted: string, address: string): Promise<string> {
    const found = (await this.#targets()).find(({ type, url }) => type === wanted && url.endsWith(address));
    if (found === undefined) throw new Error(`There is no ${wanted} ${address}.`);
    return found.targetId;
  }

  /** One that has ended by itself starts again. */
  #worker(script = WORKER): Promise<string> {
    return vi.waitFor(() => this.#target('service_worker', script), PATIENCE);
  }

  async #session(targetId: string): Promise<string> {
    const known = this.#sessions.get(targetId);
    if (known !== undefined) return known;
    const { sessionId } = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    this.#sessions.set(targetId, sessionId as string);
    return sessionId as string;
  }

  /** Leaves one blank tab, no cookies, no local storage, and no download folder of a person's. */
  async clear(): Promise<void> {
    const blank = await this.#send('Target.createTarget', { url: 'about:blank', newWindow: true });
    let rounds = 0;
    // A window that the worker was opening may appear after the first look.
    await vi.waitFor(async () => {
      rounds += 1;
      const others = (await this.#openPages()).filter(({ targetId }) => targetId !== blank.targetId);
      for (const { targetId } of others) {
        // A tab that closes by itself meanwhile is no longer found.
        await this.#send('Target.closeTarget', { targetId }).catch(() => undefined);
        if (rounds % 50 === 0) await this.#terminate(targetId).catch(() => undefined);
      }
      if (others.length > 0) throw new Error(`Still open: ${others.map(({ url }) => url).join(' ')}`);
    }, PATIENCE);
    await this.#send('Storage.clearCookies');
    // Only a page takes this command. The side panel remembers its open tab there.
    const { sessionId } = await this.#send('Target.attachToTarget', { ...blank, flatten: true });
    const everywhere = { origin: '*', storageTypes: 'local_storage' };
    await this.#send('Storage.clearDataForOrigin', everywhere, sessionId as string);
    await this.#send('Target.detachFromTarget', { sessionId });
    await this.#send('Browser.setDownloadBehavior', { behavior: 'default' });
  }

  /** A page whose script never ends cannot be closed otherwise. */
  async #terminate(targetId: string): Promise<void> {
    const { sessionId } = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    await this.#send('Runtime.terminateExecution', {}, sessionId as string);
  }

  async tabs(): Promise<number> {
    return (await this.#openPages()).length;
  }

  async #openPages(): Promise<readonly TargetInfo[]> {
    return (await this.#targets()).filter(({ type }) => type === 'page');
  }

  async #targets(): Promise<readonly TargetInfo[]> {
    return ((await this.#send('Target.getTargets')) as { targetInfos: readonly TargetInfo[] }).targetInfos;
  }

  /** Ends the worker as the browser would; the extension starts the next one by itself. */
  async end(): Promise<void> {
    const targetId = await this.#worker();
    const sessionId = this.#sessions.get(targetId);
    this.#sessions.delete(targetId);
    // The worker may have ended by itself, and its session with it.
    if (sessionId !== undefined)
      await this.#send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
    await this.#send('Target.closeTarget', { targetId }).catch(() => undefined);
    await vi.waitFor(async () => {
      const isThere = (await this.#targets()).some((target) => target.targetId === targetId);
      if (isThere) throw new Error('The worker has not ended yet.');
    }, PATIENCE);
  }

  /** Runs an expression in a page with a person's user activation, which some calls need. */
  async clickInPage(address: string, expression: string): Promise<void> {
    const targetId = await this.#target('page', address);
    const { sessionId } = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    await this.#send('Runtime.evaluate', { expression, userGesture: true }, sessionId as string);
    await this.#send('Target.detachFromTarget', { sessionId });
  }

  async inPage<T>(address: string, expression: string): Promise<T | undefined> {
    return this.#withPage(address, async (session) => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result } = await this.#send('Runtime.evaluate', options, session);
      return (result as { value: T }).value;
    });
  }

  /** Clicks at a point of the page at an address, as a person's mouse would. */
  async clickAt(address: string, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    await this.#withPage(address, async (session) => {
      for (const type of ['mousePressed', 'mouseReleased']) {
        const event = { type, x, y, button: 'left', clickCount: 1 };
        await this.#send('Input.dispatchMouseEvent', event, session);
      }
    });
  }

  /** Types into the focused element of the page at an address, as a person's keyboard would. */
  async typeIn(address: string, text: string): Promise<void> {
    await this.#withPage(address, (session) => this.#send('Input.insertText', { text }, session));
  }

  /** Makes dialogs of a page wait; `accept` answers the open or next one. */
  async holdDialogs(address: string): Promise<{ accept(): Promise<void> }> {
    await this.#withPage(address, (session) => this.#send('Page.enable', {}, session));
    const accept = (): Promise<void> =>
      vi.waitFor(async () => {
        await this.#withPage(address, (session) =>
          this.#send('Page.handleJavaScriptDialog', { accept: true }, session),
        );
      }, PATIENCE);
    return { accept };
  }

  async #withPage<T>(address: string, use: (session: string) => Promise<T>): Promise<T | undefined> {
    const targetId = await this.#target('page', address).catch(() => null);
    return targetId === null ? undefined : use(await this.#session(targetId));
  }

  /** The awaited value of an expression in the worker, or in another extension's. */
  async evaluate<T>(expression: string, script = WORKER): Promise<T> {
    const session = await this.#session(await this.#worker(script));
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', options, session);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }
}
