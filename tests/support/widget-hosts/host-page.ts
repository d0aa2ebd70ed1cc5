import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export interface HostSettings {
  readonly theme: 'light' | 'dark' | null;
  /** Such as `zh-CN`; null if the host reports none. */
  readonly locale: string | null;
  /** Tool that the widget belongs to; null if the host does not name it. */
  readonly tool: string | null;
  readonly canCallTools: boolean;
  readonly widgetState: unknown;
}

export interface HostReport {
  isReady: boolean;
  readonly links: string[];
  readonly heights: number[];
  readonly states: unknown[];
}

export interface WidgetHostPage {
  readonly report: HostReport;
  sendInput(args: Record<string, unknown>): Promise<void>;
  sendResult(result: CallToolResult): Promise<void>;
}

declare global {
  interface Window {
    host?: WidgetHostPage;
  }
}

export const settings = JSON.parse(
  new URLSearchParams(location.search).get('settings') ?? '{}',
) as HostSettings;

export const report: HostReport = { isReady: false, links: [], heights: [], states: [] };

export function frameOf(): HTMLIFrameElement {
  const frame = document.querySelector('iframe');
  if (frame === null) throw new Error('The page has no frame.');
  return frame;
}

/** The server's answer. Rejects if the call does not reach it. */
export async function callServer(name: string, args: Record<string, unknown>): Promise<unknown> {
  const response = await fetch('/call', { method: 'POST', body: JSON.stringify({ name, args }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
