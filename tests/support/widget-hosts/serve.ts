import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { build } from 'vite';
import { answerAt } from '../file-site.ts';

/** Both kinds of host that a widget meets. */
export type HostKind = 'apps' | 'openai';

/** The hosts' policy for a widget that asks for no domain (MCP Apps, "Host Behavior"). */
const WIDGET_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'none'",
  'sandbox allow-scripts',
].join('; ');

const HOST_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>
  html { color-scheme: light; background: #fff; }
  html.dark { color-scheme: dark; background: #15191f; }
  body { margin: 0; }
  iframe { display: block; width: 100%; height: 120px; border: 0; }
</style></head><body><iframe sandbox="allow-scripts" title="Widget"></iframe>
<script type="module" src="/host.js"></script></body></html>`;

/** Host pages on loopback, with a server behind them. */
export interface WidgetServer {
  readonly url: string;
  callTool: ((name: string, args: Record<string, unknown>) => Promise<unknown>) | null;
}

/** Serves a host page of one kind, and the widget in its frame. */
export async function serveWidget(kind: HostKind, widget: string): Promise<WidgetServer> {
  const files = new Map([
    ['/', { type: 'text/html', body: HOST_PAGE }],
    ['/host.js', { type: 'text/javascript', body: await bundle(`${kind}-host.ts`, 'es') }],
    ['/widget', { type: 'text/html', body: kind === 'openai' ? await withGlobals(widget) : widget }],
  ]);
  const port = await answerAt(async (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === '/call') {
      const { name, args } = (await json(request)) as { name: string; args: Record<string, unknown> };
      const result = await server.callTool?.(name, args);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
      return;
    }
    const file = files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    const policy = path === '/widget' ? { 'content-security-policy': WIDGET_POLICY } : {};
    response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8`, ...policy }).end(file.body);
  });
  const server: WidgetServer = { url: `http://127.0.0.1:${port}/`, callTool: null };
  return server;
}

/** A script of a host, with the libraries that it uses. */
async function bundle(file: string, format: 'es' | 'iife'): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: { input: join(import.meta.dirname, file), output: { format, codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error(`${file} was not built.`);
  return chunk.code;
}

/** The widget's document with `window.openai` defined before the widget's own script. */
async function withGlobals(widget: string): Promise<string> {
  const script = await bundle('globals-host.ts', 'iife');
  return widget.replace('<head>', () => `<head><script>${script}</script>`);
}
