import type { TargetSession } from './worker/cdp-target.ts';
import type { FirefoxScope } from './firefox-scope.ts';

type Params = Readonly<Record<string, unknown>>;

/** Names of keys in WebDriver; those of one character name themselves. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
};
const MODIFIERS = [
  [8, '\uE008'],
  [2, '\uE009'],
  [1, '\uE00A'],
] as const;
const BUTTONS: readonly unknown[] = ['left', 'middle', 'right'];

/** A value as WebDriver BiDi describes it: https://w3c.github.io/webdriver-bidi/#type-script-RemoteValue */
interface RemoteValue {
  readonly type: string;
  readonly value?: unknown;
  readonly sharedId?: string;
}

function plain({ type, value }: RemoteValue): unknown {
  if (type === 'null') return null;
  if (type === 'array') return (value as RemoteValue[]).map(plain);
  if (type !== 'object') return value;
  return Object.fromEntries((value as [string, RemoteValue][]).map(([name, one]) => [name, plain(one)]));
}

/** Does in a tab of Firefox what tests ask of a page of Chromium, by the same commands. */
export class FirefoxPage implements TargetSession {
  #selector = '';

  constructor(
    private readonly scope: FirefoxScope,
    private readonly context: string,
  ) {}

  readonly #commands: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    'Runtime.evaluate': async ({ expression }) => ({
      result: { value: plain(await this.#evaluate(String(expression))) },
    }),
    'Page.navigate': ({ url }) => this.#send('browsingContext.navigate', { url, wait: 'none' }),
    'Page.bringToFront': () => this.#send('browsingContext.activate', {}),
    'Input.insertText': ({ text }) =>
      this.#keys([...String(text)].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))),
    'Input.dispatchKeyEvent': ({ type, key, modifiers }) => {
      const name = String(key);
      const isUp = type === 'keyUp';
      const held = MODIFIERS.flatMap(([bit, value]) => ((Number(modifiers) & bit) > 0 ? [value] : []));
      const event = { type: isUp ? 'keyUp' : 'keyDown', value: KEYS[name] ?? name };
      const around = held.map((value) => ({ type: event.type, value }));
      return this.#keys(isUp ? [event, ...around] : [...around, event]);
    },
    'Input.dispatchMouseEvent': ({ type, x, y, button }) => {
      const at = { type: 'pointerMove', x: Math.round(Number(x)), y: Math.round(Number(y)) };
      const kind = { mousePressed: 'pointerDown', mouseReleased: 'pointerUp' }[String(type)];
      const press = { type: kind, button: Math.max(0, BUTTONS.indexOf(button)) };
      return this.#perform({
        type: 'pointer',
        id: 'mouse',
        actions: kind === undefined ? [at] : [at, press],
      });
    },
    'DOM.getDocument': async () => ({ root: { nodeId: 0 } }),
    'DOM.querySelector': async ({ selector }) => ((this.#selector = String(selector)), { nodeId: 0 }),
    'DOM.setFileInputFiles': async ({ files }) => {
      const { sharedId } = await this.#evaluate(`document.querySelector(${JSON.stringify(this.#selector)})`);
      return this.#send('input.setFiles', { element: { sharedId }, files });
    },
  };

  send(method: string, params: object): Promise<unknown> {
    const command = this.#commands[method];
    if (command === undefined) throw new Error(`Tests in Firefox lack ${method}.`);
    return command(params as Params);
  }

  #send(method: string, params: object): Promise<Record<string, unknown>> {
    return this.scope.bidi.send(method, { context: this.context, ...params });
  }

  #perform(source: object): Promise<unknown> {
    return this.#send('input.performActions', { actions: [source] });
  }

  #keys(actions: readonly object[]): Promise<unknown> {
    return this.#perform({ type: 'key', id: 'keys', actions });
  }

  async #evaluate(expression: string): Promise<RemoteValue> {
    const asked = { expression, target: { context: this.context }, awaitPromise: true };
    const answer = await this.scope.bidi.send('script.evaluate', asked);
    if (answer['type'] === 'exception') throw new Error(JSON.stringify(answer['exceptionDetails']));
    return answer['result'] as RemoteValue;
  }
}

const MOUSE = { mousePressed: 'mousedown', mouseReleased: 'mouseup', mouseMoved: 'mousemove' } as const;

/** The same for the sidebar, which WebDriver does not list. */
export class FirefoxPanel implements TargetSession {
  constructor(private readonly scope: FirefoxScope) {}

  async send(method: string, params: object): Promise<unknown> {
    const { expression, type, x, y, button } = params as Params;
    if (method === 'Runtime.evaluate')
      return { result: { value: await this.scope.inPanel(String(expression)) } };
    if (method !== 'Input.dispatchMouseEvent') throw new Error(`The sidebar of Firefox lacks ${method}.`);
    return this.scope.pressInPanel({
      type: MOUSE[type as keyof typeof MOUSE],
      x: Number(x),
      y: Number(y),
      button: Math.max(0, BUTTONS.indexOf(button)),
      count: 1,
    });
  }
}
