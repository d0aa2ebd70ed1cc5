import { type ToolAnswer, readAnswer } from './model/answer.ts';
import { z } from 'zod';
import { withTimeout } from '../../../shared/base/async.ts';
import { WIDGET_TEXTS } from '../../../shared/core/widget-texts.ts';
import { isObject } from '../../../shared/base/json.ts';
import { App, PostMessageTransport, type McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import { VERSION } from '../../../shared/base/version.ts';

export type HostAbilities = Readonly<Record<'callTools' | 'openLinks', boolean>>;

export interface HostListener {
  /** The answer of the widget's own call: the first, and each later one. */
  onAnswer(answer: ToolAnswer): void;
  /** Arguments of that call, if the host passes them. */
  onInput(args: Readonly<Record<string, unknown>>): void;
  onToolName(name: string): void;
  /** The user's language, such as `zh-CN`. */
  onLocale(locale: string): void;
  /** The call was cancelled before it answered. */
  onCancelled(): void;
  /** The host closes the widget, or is closed. */
  onEnd(): void;
}

/**
 * The widget's only access to its host. Two kinds of hosts implement it: those of MCP Apps and those with
 * `window.openai`.
 */
export interface WidgetHost {
  /** Rejects if the host does not answer. */
  start(listener: HostListener): Promise<HostAbilities>;
  /** Rejects if the call did not reach the server; every answer of the server resolves it, errors too. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  openLink(href: string): Promise<void>;
  reportHeight(heightPx: number): void;
  /** Null if the host stores no state. */
  savedState(): unknown;
  saveState(state: Readonly<Record<string, unknown>>): void;
}

type Global = 'theme' | 'locale' | 'toolInput' | 'toolOutput' | 'toolResponseMetadata' | 'widgetState';

export interface OpenAi extends Readonly<Partial<Record<Global, unknown>>> {
  callTool?(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  setWidgetState?(state: Readonly<Record<string, unknown>>): Promise<void> | void;
  openExternal?(link: { readonly href: string }): Promise<void> | void;
  notifyIntrinsicHeight?(heightPx: number): void;
}

/** Null follows the system. */
function applyTheme(theme: 'light' | 'dark' | null): void {
  if (theme === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Fired when a value of `window.openai` changes. */
const GLOBALS_EVENT = 'openai:set_globals';
const CALL_MS = 30_000;

/** A host with `window.openai`; its values are read again with each event, which names only the changed ones. */
function createOpenAiHost(window: EventTarget & { readonly openai?: OpenAi | undefined }): WidgetHost {
  const globals = (): OpenAi => window.openai ?? {};
  return {
    async start(listener) {
      const notify = createNotifier(listener);
      window.addEventListener(GLOBALS_EVENT, () => notify(globals()));
      notify(globals());
      const { callTool, openExternal } = globals();
      return { callTools: callTool !== undefined, openLinks: openExternal !== undefined };
    },
    async callTool(name, args) {
      const { callTool } = globals();
      if (callTool === undefined) throw new Error('This host does not let widgets call tools.');
      const late = (): Error => new Error('The host did not answer in time.');
      return readAnswer(await withTimeout(callTool.call(globals(), name, args), CALL_MS, late));
    },
    openLink: async (href) => globals().openExternal?.({ href }),
    reportHeight: (heightPx) => globals().notifyIntrinsicHeight?.(heightPx),
    savedState: () => globals().widgetState ?? null,
    saveState(state) {
      // State is optional: without it, only the position in the pages is lost.
      void Promise.resolve(globals().setWidgetState?.(state)).catch(() => undefined);
    },
  };
}

/** Notifies the listener of changes since the last time. */
function createNotifier(listener: HostListener): (globals: OpenAi) => void {
  const last = new Map<keyof OpenAi, unknown>();
  const isNew = (globals: OpenAi, key: keyof OpenAi): boolean => {
    if (last.has(key) && last.get(key) === globals[key]) return false;
    last.set(key, globals[key]);
    return true;
  };
  return (globals) => {
    const { theme, locale, toolInput, toolOutput, toolResponseMetadata } = globals;
    if (isNew(globals, 'locale') && typeof locale === 'string') listener.onLocale(locale);
    if (isNew(globals, 'theme')) applyTheme(theme === 'light' || theme === 'dark' ? theme : null);
    if (isNew(globals, 'toolInput') && isObject(toolInput)) listener.onInput(toolInput);
    const isOutputNew = isNew(globals, 'toolOutput');
    const isEndNew = isNew(globals, 'toolResponseMetadata');
    const texts = textsOf(toolResponseMetadata);
    if ((isOutputNew || isEndNew) && toolOutput != null)
      listener.onAnswer(readAnswer({ ...texts, ...readOutput(toolOutput) }));
    // An answer without `structuredContent`, such as a page, has only its metadata.
    else if (isEndNew && toolResponseMetadata != null) listener.onAnswer(readAnswer(texts));
  };
}

/** `toolOutput` is the answer's `structuredContent`, or its text if it has none. */
const readOutput = (output: unknown): object =>
  typeof output === 'string' ? { content: [{ type: 'text', text: output }] } : { structuredContent: output };

const Texts = z.looseObject({ [WIDGET_TEXTS]: z.array(z.string()) });

function textsOf(metadata: unknown): { readonly content?: readonly object[] } {
  const texts = Texts.safeParse(metadata).data?.[WIDGET_TEXTS];
  return texts === undefined ? {} : { content: texts.map((text) => ({ type: 'text', text })) };
}

const HANDSHAKE_MS = 10_000;

/** A host of the MCP Apps extension (2026-01-26): JSON-RPC over `postMessage` to the embedding window. */
function createAppsHost(parent: Window, widget: string): WidgetHost {
  const app = new App({ name: `spillway-${widget}`, version: VERSION }, {}, { autoResize: false });
  return {
    async start(listener) {
      app.ontoolinput = ({ arguments: args }) => listener.onInput(args ?? {});
      app.ontoolresult = (result) => listener.onAnswer(readAnswer(result));
      app.ontoolcancelled = () => listener.onCancelled();
      app.onhostcontextchanged = (context) => tellContext(context, listener);
      app.onteardown = () => {
        listener.onEnd();
        return {};
      };
      app.onclose = () => listener.onEnd();
      await app.connect(new PostMessageTransport(parent, parent), { timeout: HANDSHAKE_MS });
      const context = app.getHostContext();
      if (context !== undefined) tellContext(context, listener);
      const { serverTools, openLinks } = app.getHostCapabilities() ?? {};
      return { callTools: serverTools !== undefined, openLinks: openLinks !== undefined };
    },
    callTool: async (name, args) =>
      readAnswer(await app.callServerTool({ name, arguments: { ...args } }, { timeout: CALL_MS })),
    openLink: async (href) => void (await app.openLink({ url: href })),
    reportHeight(heightPx) {
      // A closed host needs no height.
      app.sendSizeChanged({ height: heightPx }).catch(() => undefined);
    },
    savedState: () => null,
    saveState: () => undefined,
  };
}

/** A change names only the changed members. */
function tellContext({ theme, toolInfo, styles, locale }: McpUiHostContext, listener: HostListener): void {
  if (locale !== undefined) listener.onLocale(locale);
  if (theme !== undefined) applyTheme(theme);
  if (toolInfo !== undefined) listener.onToolName(toolInfo.tool.name);
  // The host's own design.
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined && /^--(?:color|font)-[a-z0-9-]+$/.test(name))
      document.documentElement.style.setProperty(name, value);
}

declare global {
  interface Window {
    readonly openai?: OpenAi;
  }
}

/**
 * The host that shows this page: `window.openai` exists before any script runs; any other host is asked by the
 * handshake of MCP Apps.
 */
export const chooseHost = (window: Window, widget: string): WidgetHost =>
  window.openai === undefined ? createAppsHost(window.parent, widget) : createOpenAiHost(window);
