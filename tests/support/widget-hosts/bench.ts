import type { Browser } from 'playwright';
import { z } from 'zod';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { startMemoryServer, type MemoryServer } from '../memory-client.ts';
import { openWidget, type OpenOptions, type OpenWidget } from './open.ts';
import { ScriptedCrawl } from './scripted-crawl.ts';
import { serveWidget, type HostKind, type WidgetServer } from './serve.ts';

/** The whole way from a widget to the server: host page, MCP client, adapter, executor, runs. */
export interface WidgetBench {
  readonly kind: HostKind;
  readonly server: MemoryServer;
  readonly hosts: WidgetServer;
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  open(options?: OpenOptions): Promise<OpenWidget>;
  write(text: string): void;
  script(): ScriptedCrawl;
  close(): Promise<void>;
}

/** A server in the mode of the host, whose crawls are scripted, behind a host page of that kind with the widget of a tool. */
export async function startBench(
  kind: HostKind,
  browser: Browser,
  { tool = 'crawl' }: { readonly tool?: string } = {},
): Promise<WidgetBench> {
  let script = new ScriptedCrawl();
  let text = '';
  const server = await startMemoryServer(
    { mode: kind, syncWaitMs: 1, tools: ['default', 'recipes'] },
    { workers: { crawl: () => Promise.resolve({ run: (args, scope) => script.run(args, scope) }) } },
  );
  server.bridge.addBrowser({ 1: { url: 'https://docs.example.org/', title: 'Docs', content: () => [text] } });
  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> =>
    (await server.client.callTool({ name, arguments: args })) as CallToolResult;
  const hosts = await serveWidget(kind, await readTemplate(kind, server, tool));
  hosts.callTool = call;
  return {
    kind,
    server,
    hosts,
    call,
    open: (options) => openWidget(browser, hosts, options),
    write: (written) => (text = written),
    script: () => (script = new ScriptedCrawl()),
    close: () => server.close(),
  };
}

/** The widget of a tool as a host finds it: by the address in the list of tools, from the resources. */
async function readTemplate(kind: HostKind, { client }: MemoryServer, tool: string): Promise<string> {
  const { tools } = await client.listTools();
  const uri = Template[kind].parse(tools.find(({ name }) => name === tool)?._meta);
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (first === undefined || !('text' in first)) throw new Error(`${uri} is not text.`);
  return first.text;
}

const Template = {
  apps: z
    .looseObject({ ui: z.looseObject({ resourceUri: z.string() }) })
    .transform(({ ui }) => ui.resourceUri),
  openai: z
    .looseObject({ 'openai/outputTemplate': z.string() })
    .transform((meta) => meta['openai/outputTemplate']),
} as const;
