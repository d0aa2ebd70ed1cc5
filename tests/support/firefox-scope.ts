import { z } from 'zod';
import { FIREFOX_ID } from '../../shared/core/bridge/wire.ts';
import type { BidiSession } from '../../server/core/bridge/bidi.ts';
import type { BrowserScope } from './worker-scope.ts';

const Contexts = z.object({ contexts: z.array(z.object({ context: z.string(), url: z.string() })) });
const Evaluated = z.object({ result: z.object({ value: z.string() }) });
const Value = z.object({ value: z.unknown().optional(), thrown: z.string().optional() });

/** The awaited value of an expression, or why it failed, as JSON. */
const asJson = (expression: string): string =>
  `(async () => ({ value: await (${expression}) }))().catch((thrown) => ({ thrown: String(thrown) })).then(JSON.stringify)`;

/** A script of the process that has a page of the extension: it runs a script, whose last value it awaits, with the page's rights. */
const inFrame = (script: string): string => `(async () => {
  const box = Cu.Sandbox(content, { sandboxPrototype: content, wantXrays: false });
  box.last = Cu.evalInSandbox(${JSON.stringify(script)}, box);
  return Cu.evalInSandbox(${JSON.stringify(asJson('last'))}, box);
})().catch((thrown) => JSON.stringify({ thrown: String(thrown) }))
  .then((json) => sendAsyncMessage('spillway:value', json))`;

/** Pages, as the browser's own window finds them. No inspector reaches those of the extension. */
const VIEWS = {
  eventPage: `[...WebExtensionPolicy.getByID('${FIREFOX_ID}').extension.views].find(({ viewType }) => viewType === 'background').xulBrowser`,
  panel: `document.getElementById('sidebar').contentDocument.getElementById('webext-panels-browser')`,
  frontTab: 'gBrowser.selectedBrowser',
};

/** A script of the browser's own window, which runs another in the process of a page, and gets its message. */
const inView = (view: keyof typeof VIEWS, script: string): string => `new Promise((done) => {
  const { messageManager } = ${VIEWS[view]};
  messageManager.addMessageListener('spillway:value', function heard({ data }) {
    messageManager.removeMessageListener('spillway:value', heard);
    done(data);
  });
  messageManager.loadFrameScript('data:;charset=utf-8,' + ${JSON.stringify(encodeURIComponent(script))}, false);
})`;

const PRESS = ({ type, x, y, button, count }: PanelPress): string => `
  content.synthesizeMouseEvent('${type}', ${x}, ${y}, { button: ${button}, clickCount: ${count} });
  sendAsyncMessage('spillway:value', '{}');`;

interface PanelPress {
  readonly type: 'mousedown' | 'mousemove' | 'mouseup';
  readonly x: number;
  readonly y: number;
  readonly button: number;
  readonly count: number;
}

const OPEN_PANEL = `SidebarController.show('${FIREFOX_ID.replace(/[^a-z0-9_-]/g, '_')}-sidebar-action').then(() => '')`;
const CLOSE_PANEL = `(SidebarController.hide(), '')`;

const RESTART = `(async () => {
  const { extension } = WebExtensionPolicy.getByID('${FIREFOX_ID}');
  await extension.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true });
  await extension.wakeupBackground();
  return '';
})()`;

/** Does in a Firefox as `WorkerScope` does in a Chromium. */
export class FirefoxScope implements BrowserScope {
  /** Answers carry no name. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly bidi: BidiSession) {}

  async evaluate<T>(expression: string): Promise<T> {
    return valueIn(await this.#inView('eventPage', inFrame(expression)));
  }

  /** The sidebar, as a person opens it from the extension's button. */
  async showPanel(isShown: boolean): Promise<void> {
    await this.inBrowser(isShown ? OPEN_PANEL : CLOSE_PANEL);
  }

  async inPanel<T>(expression: string): Promise<T> {
    return valueIn(await this.#inView('panel', inFrame(expression)));
  }

  async pressInPanel(press: PanelPress): Promise<void> {
    await this.#inView('panel', PRESS(press));
  }

  /** Runs a script with the browser's rights next to the page of the front tab, which is its `content`. */
  async besideFrontPage<T>(expression: string): Promise<T> {
    const script = `${asJson(expression)}.then((json) => sendAsyncMessage('spillway:value', json))`;
    return valueIn(await this.#inView('frontTab', script));
  }

  async #inView(view: keyof typeof VIEWS, script: string): Promise<string> {
    const turn = this.#last.then(() => this.inBrowser(inView(view, script)));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Runs a script of the browser's own window, whose value is text. */
  async inBrowser(expression: string): Promise<string> {
    const tree = await this.bidi.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    return this.#run(Contexts.parse(tree).contexts[0]?.context ?? '', expression);
  }

  async end(): Promise<void> {
    await this.inBrowser(RESTART);
  }

  async inPage<T>(address: string, expression: string): Promise<T | undefined> {
    const context = await this.find(address);
    return context === undefined ? undefined : valueIn<T>(await this.#run(context, asJson(expression)));
  }

  async clickInPage(address: string, expression: string): Promise<void> {
    const context = await this.find(address);
    if (context === undefined) throw new Error(`There is no page ${address}.`);
    await this.#run(context, `${expression}\n;''`, true);
  }

  async clickAt(address: string, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
    const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
    await this.#perform(address, { type: 'pointer', id: 'mouse', actions: [move, ...press] });
  }

  async typeIn(address: string, text: string): Promise<void> {
    const actions = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
    await this.#perform(address, { type: 'key', id: 'keys', actions });
  }

  /** Answers the dialog of a page, as a person does. */
  async answerDialog(address: string, accept: boolean): Promise<void> {
    await this.bidi.send('browsingContext.handleUserPrompt', { context: await this.find(address), accept });
  }

  async #perform(address: string, source: object): Promise<void> {
    const context = await this.find(address);
    if (context !== undefined) await this.bidi.send('input.performActions', { context, actions: [source] });
  }

  async #run(context: string, expression: string, userActivation = false): Promise<string> {
    const asked = { expression, target: { context }, awaitPromise: true, userActivation };
    return Evaluated.parse(await this.bidi.send('script.evaluate', asked)).result.value;
  }

  /** The tab whose address ends so. */
  async find(address: string): Promise<string | undefined> {
    const { contexts } = Contexts.parse(await this.bidi.send('browsingContext.getTree'));
    return contexts.find(({ url }) => url.endsWith(address))?.context;
  }
}

function valueIn<T>(json: string): T {
  const { value, thrown } = Value.parse(JSON.parse(json));
  if (thrown !== undefined) throw new Error(thrown);
  return value as T;
}
