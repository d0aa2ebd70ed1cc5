import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { callServer, frameOf, report, settings, type WidgetHostPage } from './host-page.ts';

/*
 * The smallest host of MCP Apps: the library's own bridge, one widget in a sandboxed frame, and the
 * server behind `/call`.
 */
const { theme, locale, tool, canCallTools } = settings;
const frame = frameOf();
const bridge = new AppBridge(
  null,
  { name: 'test-host', version: '1' },
  { ...(canCallTools ? { serverTools: {} } : {}), openLinks: {} },
  {
    hostContext: {
      ...(theme === null ? {} : { theme }),
      ...(locale === null ? {} : { locale }),
      ...(tool === null ? {} : { toolInfo: { tool: { name: tool, inputSchema: { type: 'object' } } } }),
    },
  },
);
bridge.oncalltool = async ({ name, arguments: args }) =>
  callServer(name, args ?? {}) as Promise<CallToolResult>;
bridge.onopenlink = async ({ url }) => {
  report.links.push(url);
  return {};
};
bridge.onsizechange = ({ height }) => {
  if (height !== undefined) {
    report.heights.push(height);
    frame.style.height = `${height}px`;
  }
};
bridge.oninitialized = () => (report.isReady = true);

const widgetWindow = frame.contentWindow;
if (widgetWindow === null) throw new Error('The frame has no window.');
await bridge.connect(new PostMessageTransport(widgetWindow, widgetWindow));
frame.src = '/widget';

const page: WidgetHostPage = {
  report,
  sendInput: (args) => bridge.sendToolInput({ arguments: args }),
  sendResult: (result) => bridge.sendToolResult(result),
};
window.host = page;
