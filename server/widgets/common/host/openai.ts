import { z } from 'zod';
import { withTimeout } from '../../../../shared/async/wait.ts';
import { readAnswer } from '../model/answer.ts';
import type { HostListener, WidgetHost } from './types.ts';
import { WIDGET_TEXTS } from '../../../../shared/widget-texts.ts';
import { isObject } from '../../../../shared/json.ts';

/** What the Apps SDK of ChatGPT puts at `window.openai`, as far as it is used here. */
export interface OpenAi {
  readonly theme?: unknown;
  readonly locale?: unknown;
  readonly toolInput?: unknown;
  readonly toolOutput?: unknown;
  readonly toolResponseMetadata?: unknown;
  readonly widgetState?: unknown;
  callTool?(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  setWidgetState?(state: Readonly<Record<string, unknown>>): Promise<void> | void;
  openExternal?(link: { readonly href: string }): Promise<void> | void;
  notifyIntrinsicHeight?(heightPx: number): void;
}

/** Called each time that a value of `window.openai` is another. */
const GLOBALS_EVENT = 'openai:set_globals';
/** The host's own call has no deadline. */
const CALL_MS = 30_000;

/** A host with `window.openai`; its values are read again with each event, which names only those that changed. */
export function createOpenAiHost(window: EventTarget & { readonly openai?: OpenAi | undefined }): WidgetHost {
  const globals = (): OpenAi => window.openai ?? {};
  return {
    name: 'openai',
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
      return readAnswer(await withTimeout(callTool.call(globals(), name, args), CALL_MS, late));
    },
    async openLink(href) {
      await globals().openExternal?.({ href });
    },
    reportHeight: (heightPx) => globals().notifyIntrinsicHeight?.(heightPx),
    savedState: () => globals().widgetState ?? null,
    saveState(state) {
      // What is kept is a comfort: a host that keeps nothing loses only the place in the pages.
      void Promise.resolve(globals().setWidgetState?.(state)).catch(() => undefined);
    },
  };
}

/** Tells the listener what is another than the last time. */
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
    if (isNew(globals, 'theme')) listener.onTheme(theme === 'light' || theme === 'dark' ? theme : null);
    if (isNew(globals, 'toolInput') && isObject(toolInput)) listener.onInput(toolInput);
    const isOutputNew = isNew(globals, 'toolOutput');
    const isEndNew = isNew(globals, 'toolResponseMetadata');
    const texts = textsOf(toolResponseMetadata);
    if ((isOutputNew || isEndNew) && isGiven(toolOutput))
      listener.onAnswer(readAnswer({ ...texts, ...readOutput(toolOutput) }));
    // An answer without `structuredContent`, as a page is, comes as its metadata alone.
    else if (isEndNew && isGiven(toolResponseMetadata)) listener.onAnswer(readAnswer(texts));
  };
}

/** `toolOutput` is the answer's `structuredContent`, or its text where the answer has none. */
const readOutput = (output: unknown): object =>
  typeof output === 'string' ? { content: [{ type: 'text', text: output }] } : { structuredContent: output };

const Texts = z.looseObject({ [WIDGET_TEXTS]: z.array(z.string()) });

/** What the server has sent to the widget alone, as content. */
function textsOf(metadata: unknown): { readonly content?: readonly object[] } {
  const texts = Texts.safeParse(metadata).data?.[WIDGET_TEXTS];
  return texts === undefined ? {} : { content: texts.map((text) => ({ type: 'text', text })) };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const late = (): Error => new Error('The host did not answer in time.');
