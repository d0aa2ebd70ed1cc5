import { App, PostMessageTransport, type McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import { VERSION } from '../../../../shared/version.ts';
import { readAnswer } from '../model/answer.ts';
import type { HostListener, WidgetHost } from './types.ts';

const HANDSHAKE_MS = 10_000;
const CALL_MS = 30_000;

/** A host of the MCP Apps extension (2026-01-26): JSON-RPC over `postMessage` to the embedding window. */
export function createAppsHost(parent: Window, widget: string): WidgetHost {
  const app = new App({ name: `spillway-${widget}`, version: VERSION }, {}, { autoResize: false });
  return {
    name: 'apps',
    async start(listener) {
      listen(app, listener);
      await app.connect(new PostMessageTransport(parent, parent), { timeout: HANDSHAKE_MS });
      const context = app.getHostContext();
      if (context !== undefined) tellContext(context, listener);
      const { serverTools, openLinks } = app.getHostCapabilities() ?? {};
      return { callTools: serverTools !== undefined, openLinks: openLinks !== undefined };
    },
    callTool: async (name, args) =>
      readAnswer(await app.callServerTool({ name, arguments: { ...args } }, { timeout: CALL_MS })),
    async openLink(href) {
      await app.openLink({ url: href });
    },
    reportHeight(heightPx) {
      // A closed host needs no height.
      app.sendSizeChanged({ height: heightPx }).catch(() => undefined);
    },
    savedState: () => null,
    saveState: () => undefined,
  };
}

function listen(app: App, listener: HostListener): void {
  app.ontoolinput = ({ arguments: args }) => listener.onInput(args ?? {});
  app.ontoolresult = (result) => listener.onAnswer(readAnswer(result));
  app.ontoolcancelled = () => listener.onCancelled();
  app.onhostcontextchanged = (context) => tellContext(context, listener);
  app.onteardown = () => {
    listener.onEnd();
    return {};
  };
  app.onclose = () => listener.onEnd();
}

/** A change names only what is another than before. */
function tellContext({ theme, toolInfo, styles, locale }: McpUiHostContext, listener: HostListener): void {
  if (locale !== undefined) listener.onLocale(locale);
  if (theme !== undefined) listener.onTheme(theme);
  if (toolInfo !== undefined) listener.onToolName(toolInfo.tool.name);
  if (styles?.variables !== undefined) listener.onStyle(styles.variables);
}
