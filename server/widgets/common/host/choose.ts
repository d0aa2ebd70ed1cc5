import { createAppsHost } from './apps.ts';
import { createOpenAiHost, type OpenAi } from './openai.ts';
import type { WidgetHost } from './types.ts';

declare global {
  interface Window {
    readonly openai?: OpenAi;
  }
}

/**
 * The host that shows this page: one with `window.openai` has put it there before any script runs; every
 * other one is asked by the handshake of MCP Apps.
 */
export const chooseHost = (window: Window, widget: string): WidgetHost =>
  window.openai === undefined ? createAppsHost(window.parent, widget) : createOpenAiHost(window);
