import type { OpenAi } from '../../../extension/widgets/common/host.ts';
import type { HostSettings } from './host-page.ts';

/* Runs first in a widget's document: `window.openai` as ChatGPT's Apps SDK has it. */

interface ToGlobals {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly changed?: Partial<OpenAi>;
}

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

const settings = JSON.parse(new URLSearchParams(location.search).get('settings') ?? '{}') as HostSettings;
const waiting = new Map<number, Waiting>();
let lastId = 0;

const tell = (what: string, value?: unknown): void =>
  parent.postMessage({ fromGlobals: { what, value } }, '*');

function ask(what: string, value: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = (lastId += 1);
    waiting.set(id, { resolve, reject });
    parent.postMessage({ fromGlobals: { id, what, value } }, '*');
  });
}

const { theme, locale, widgetState, canCallTools } = settings;
const openai: OpenAi = {
  theme,
  locale,
  toolInput: null,
  toolOutput: null,
  toolResponseMetadata: null,
  widgetState,
  setWidgetState: (state) => tell('setWidgetState', state),
  notifyIntrinsicHeight: (heightPx) => tell('notifyIntrinsicHeight', heightPx),
  ...(canCallTools ? { callTool: (name, args) => ask('callTool', { name, args }) } : {}),
  openExternal: ({ href }) => tell('openExternal', { href }),
};
Object.assign(window, { openai });

addEventListener('message', ({ source, data }: MessageEvent<{ toGlobals?: ToGlobals }>) => {
  if (source !== parent || data.toGlobals === undefined) return;
  const { id, result, error, changed } = data.toGlobals;
  if (changed !== undefined) {
    Object.assign(openai, changed);
    dispatchEvent(new CustomEvent('openai:set_globals', { detail: { globals: changed } }));
  }
  const asked = id === undefined ? undefined : waiting.get(id);
  if (id !== undefined) waiting.delete(id);
  if (error === undefined) asked?.resolve(result);
  else asked?.reject(new Error(error));
});
addEventListener('DOMContentLoaded', () => tell('ready'));
