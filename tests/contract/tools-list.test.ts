import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

let server: MemoryServer;
beforeAll(async () => {
  server = await startMemoryServer();
});
afterAll(() => server.close());

describe('the default tools/list', () => {
  it('is this, to the letter', async () => {
    const { tools } = await server.client.listTools();
    expect(tools).toMatchInlineSnapshot(`
      [
        {
          "annotations": {
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": true,
            "readOnlyHint": false,
          },
          "description": "Lists, opens, closes or activates browser tabs. Use it to find the id of a tab. Not for loading a url in a tab: use navigate.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "action": {
                "default": "list",
                "description": "What to do",
                "enum": [
                  "list",
                  "open",
                  "close",
                  "activate",
                ],
                "type": "string",
              },
              "activate": {
                "default": false,
                "description": "With open: bring the tab to the front",
                "type": "boolean",
              },
              "browser": {
                "description": "Browser id such as b1, when several are connected",
                "type": "string",
              },
              "tab": {
                "anyOf": [
                  {
                    "const": "active",
                    "type": "string",
                  },
                  {
                    "type": "string",
                  },
                ],
                "description": "Tab to close or activate",
              },
              "url": {
                "description": "Address for open",
                "maxLength": 65536,
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "tabs",
          "title": "Browser tabs",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": false,
            "openWorldHint": true,
            "readOnlyHint": false,
          },
          "description": "Loads a url, goes back or forward, or reloads; answers final url, status, title and redirects. Without tab it uses your current tab or opens one in the background. Not for reading: use read_page next.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "action": {
                "description": "Default goto",
                "enum": [
                  "goto",
                  "back",
                  "forward",
                  "reload",
                ],
                "type": "string",
              },
              "browser": {
                "description": "Browser id such as b1, when several are connected",
                "type": "string",
              },
              "tab": {
                "anyOf": [
                  {
                    "const": "active",
                    "type": "string",
                  },
                  {
                    "type": "string",
                  },
                ],
                "description": "Tab id such as b1:42, or "active" for the user's front tab",
              },
              "timeout_ms": {
                "default": 30000,
                "description": "Longest wait, in milliseconds",
                "maximum": 300000,
                "minimum": 100,
                "type": "integer",
              },
              "url": {
                "description": "Address to load",
                "maxLength": 65536,
                "minLength": 1,
                "type": "string",
              },
              "wait_until": {
                "default": "load",
                "description": "When it counts as done",
                "enum": [
                  "load",
                  "domcontentloaded",
                  "networkidle",
                ],
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "navigate",
          "title": "Navigate",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": true,
            "readOnlyHint": true,
          },
          "description": "Reads the whole page with its frames and shadow roots, as Markdown, text, HTML, accessible outline with refs (snapshot) or one JSON item an element (nodes). Use output_mode "auto" for pages of unknown size. Not for loading a url: use navigate.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "format": {
                "default": "markdown",
                "description": "What to write",
                "enum": [
                  "markdown",
                  "text",
                  "html",
                  "snapshot",
                  "nodes",
                ],
                "type": "string",
              },
              "include_hidden": {
                "default": false,
                "description": "Also what a person cannot see",
                "type": "boolean",
              },
              "include_links": {
                "default": true,
                "description": "Write link addresses",
                "type": "boolean",
              },
              "main_content_only": {
                "default": false,
                "description": "Only the article, without navigation",
                "type": "boolean",
              },
              "output_inline_limit_bytes": {
                "description": "Size at which auto becomes a handle (32768)",
                "maximum": 16777216,
                "minimum": 1,
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle (store it, page it), auto (handle if large)",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "selector": {
                "description": "CSS selector of the part to read",
                "maxLength": 2000,
                "minLength": 1,
                "type": "string",
              },
              "tab": {
                "anyOf": [
                  {
                    "const": "active",
                    "type": "string",
                  },
                  {
                    "type": "string",
                  },
                ],
                "description": "Tab id or "active"; default your current tab",
              },
            },
            "type": "object",
          },
          "name": "read_page",
          "title": "Read page",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Reads a stored output page by page: items by index, else bytes. Use it with the output_handle of another tool and follow next_offset. Not needed when the preview was the whole.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "encoding": {
                "default": "auto",
                "description": "How bytes are written",
                "enum": [
                  "auto",
                  "utf8",
                  "base64",
                ],
                "type": "string",
              },
              "format": {
                "default": "auto",
                "description": "Unit of the page",
                "enum": [
                  "auto",
                  "items",
                  "bytes",
                ],
                "type": "string",
              },
              "limit": {
                "description": "Most items (200) or bytes (32768)",
                "maximum": 8388608,
                "minimum": 1,
                "type": "integer",
              },
              "offset": {
                "default": 0,
                "description": "First item or byte",
                "minimum": 0,
                "type": "integer",
              },
              "output_handle": {
                "description": "Handle, oh_ and 12 characters",
                "type": "string",
              },
            },
            "required": [
              "output_handle",
            ],
            "type": "object",
          },
          "name": "oc_output_fetch",
          "title": "Fetch stored output",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Shows what was called and which handles were made. Use it to find a handle again. Not for page content.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "action": {
                "default": "summary",
                "description": "Totals, or the last entries",
                "enum": [
                  "summary",
                  "recent",
                ],
                "type": "string",
              },
              "count": {
                "default": 20,
                "description": "Most entries",
                "maximum": 100,
                "minimum": 1,
                "type": "integer",
              },
              "since": {
                "description": "ISO time, or an age such as 15m, 2h, 1d",
                "maxLength": 64,
                "type": "string",
              },
              "tool": {
                "description": "Only this tool",
                "maxLength": 64,
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "oc_journal",
          "title": "Journal",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Shows connected browsers with versions, tabs, round trip and reconnects, and store usage. Use it when a call says browser_not_connected. Not for listing tabs.",
          "inputSchema": {
            "additionalProperties": false,
            "properties": {},
            "type": "object",
          },
          "name": "oc_connection_health",
          "title": "Connection health",
        },
      ]
    `);
  });

  it('costs few tokens', async () => {
    const { tools } = await server.client.listTools();
    const perTool = tools.map((tool) => [tool.name, encode(JSON.stringify(tool)).length] as const);
    const total = encode(JSON.stringify(tools)).length;
    console.info(perTool.map(([name, tokens]) => `${name} ${tokens}`).join(', '), `together ${total}`);
    // The whole default set of fifteen tools has 2,600; these six have their share.
    expect(total).toBeLessThan(1_300);
  });

  it('is the same in every session, byte for byte', async () => {
    const second = await server.connect();
    expect(JSON.stringify(await second.listTools())).toBe(JSON.stringify(await server.client.listTools()));
    await second.close();
  });

  it('declares no output schema, and answers no structuredContent', async () => {
    server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
    const { tools } = await server.client.listTools();
    expect(tools.filter((tool) => tool.outputSchema !== undefined)).toEqual([]);
    const answer = await server.call('read_page', { tab: 'b1:1' });
    expect(answer.raw.structuredContent).toBeUndefined();
  });

  it('names in its instructions only tools that are listed', async () => {
    const { tools } = await server.client.listTools();
    const names = new Set(tools.map(({ name }) => name));
    const mentioned = server.client.getInstructions()?.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    expect(
      mentioned.filter((word) => !names.has(word) && word !== 'output_mode' && word !== 'next_offset'),
    ).toEqual([]);
  });
});
