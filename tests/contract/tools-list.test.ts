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
            "readOnlyHint": false,
          },
          "description": "Lists, opens, closes or activates browser tabs. Use it to find the id of a tab. Not for loading a url in a tab: use navigate.",
          "inputSchema": {
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
                "description": "open: bring to the front",
                "type": "boolean",
              },
              "browser": {
                "description": "Browser id such as b1",
                "type": "string",
              },
              "tab": {
                "description": "Tab to close or activate",
                "type": "string",
              },
              "url": {
                "description": "Address for open",
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
            "readOnlyHint": false,
          },
          "description": "Loads a url, goes back or forward, or reloads. Without tab it uses your current tab or opens one in the background. Not for reading: use read_page next.",
          "inputSchema": {
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
                "description": "Browser id such as b1",
                "type": "string",
              },
              "tab": {
                "description": "Tab id or "active"; default current",
                "type": "string",
              },
              "timeout_ms": {
                "default": 30000,
                "description": "Longest wait",
                "type": "integer",
              },
              "url": {
                "description": "Address to load",
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
            "readOnlyHint": true,
          },
          "description": "Reads the whole page with frames and shadow roots: Markdown, text, HTML, outline with refs (snapshot) or one item an element (nodes). Use output_mode "auto" for pages of unknown size. Not for loading a url: use navigate.",
          "inputSchema": {
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
                "description": "Only the article",
                "type": "boolean",
              },
              "output_inline_limit_bytes": {
                "description": "Limit of auto (32768)",
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle, or auto: handle if large",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "selector": {
                "description": "CSS selector of the part to read",
                "type": "string",
              },
              "tab": {
                "description": "Tab id or "active"; default current",
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "read_page",
          "title": "Read page",
        },
        {
          "annotations": {
            "readOnlyHint": true,
          },
          "description": "Captures requests of tabs with bodies, and answers slices as HAR entries, one item a request. Call start, let the page work, then slice. Not for page text.",
          "inputSchema": {
            "properties": {
              "action": {
                "default": "slice",
                "description": "What to do",
                "enum": [
                  "start",
                  "stop",
                  "slice",
                  "clear",
                  "status",
                ],
                "type": "string",
              },
              "bodies": {
                "description": "start: keep (text); slice: include (none)",
                "enum": [
                  "none",
                  "text",
                  "all",
                ],
                "type": "string",
              },
              "fields": {
                "description": "Paths, as request.url",
                "items": {
                  "type": "string",
                },
                "type": "array",
              },
              "filter": {
                "description": "Keys: id, url, method, status (4xx), type [xhr], since (30s), until, initiator, min_bytes, max_bytes, text",
                "type": "object",
              },
              "format": {
                "default": "entries",
                "description": "har: one document",
                "enum": [
                  "entries",
                  "har",
                  "curl",
                ],
                "type": "string",
              },
              "output_inline_limit_bytes": {
                "description": "Limit of auto (32768)",
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle, or auto: handle if large",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "sort": {
                "description": "time, duration, size, status, url; -size",
                "type": "string",
              },
              "tab": {
                "description": "Tab id, "active", or "all" of yours",
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "network",
          "title": "Network capture",
        },
        {
          "annotations": {
            "readOnlyHint": true,
          },
          "description": "Reads linked pages breadth-first in the user's session, one item a page. A long crawl answers a run_id: read it with run_output. Not for one page: use read_page.",
          "inputSchema": {
            "properties": {
              "async": {
                "default": false,
                "description": "Answer run_id at once",
                "type": "boolean",
              },
              "concurrency": {
                "default": 6,
                "description": "At once",
                "type": "integer",
              },
              "delay_ms": {
                "default": 0,
                "description": "Per host",
                "type": "integer",
              },
              "exclude": {
                "description": "Url globs",
                "items": {
                  "type": "string",
                },
                "type": "array",
              },
              "format": {
                "default": "markdown",
                "description": "Content",
                "enum": [
                  "markdown",
                  "text",
                  "html",
                  "nodes",
                ],
                "type": "string",
              },
              "include": {
                "description": "Url globs",
                "items": {
                  "type": "string",
                },
                "type": "array",
              },
              "max_depth": {
                "default": 3,
                "description": "Link depth",
                "type": "integer",
              },
              "max_pages": {
                "default": 50,
                "description": "Most pages",
                "type": "integer",
              },
              "output_inline_limit_bytes": {
                "description": "Limit of auto (32768)",
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle, or auto: handle if large",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "render": {
                "default": "auto",
                "description": "In tabs; auto: if empty without scripts",
                "enum": [
                  "auto",
                  "always",
                  "never",
                ],
                "type": "string",
              },
              "respect_robots": {
                "default": true,
                "description": "robots.txt",
                "type": "boolean",
              },
              "resume": {
                "description": "run_id",
                "type": "string",
              },
              "scope": {
                "default": "origin",
                "description": "origin, host (and subdomains) or url glob",
                "type": "string",
              },
              "sitemap": {
                "description": "Sitemap url",
                "type": "string",
              },
              "url": {
                "description": "Start page",
                "type": "string",
              },
              "urls": {
                "description": "Start pages",
                "items": {
                  "type": "string",
                },
                "type": "array",
              },
            },
            "type": "object",
          },
          "name": "crawl",
          "title": "Crawl",
        },
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "readOnlyHint": false,
          },
          "description": "Extracts records of a JSON Schema from a page: structured data, tables, lists, selectors. Set multiple for one item a record. Not for prose: use read_page.",
          "inputSchema": {
            "properties": {
              "explain": {
                "default": false,
                "description": "Add provenance and confidence",
                "type": "boolean",
              },
              "multiple": {
                "default": false,
                "description": "All records",
                "type": "boolean",
              },
              "output_inline_limit_bytes": {
                "description": "Limit of auto (32768)",
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle, or auto: handle if large",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "paginate": {
                "description": "Follow next pages: {next: CSS, scroll, max_pages}",
                "type": "object",
              },
              "run": {
                "description": "run_id of a crawl: its pages",
                "type": "string",
              },
              "schema": {
                "description": "JSON Schema 2020-12 of one record",
                "type": "object",
              },
              "scope": {
                "description": "CSS of the part or records",
                "type": "string",
              },
              "selectors": {
                "description": "Field to CSS, XPath (//…) or {selector, attr, type, fields, multiple}",
                "type": "object",
              },
              "strategies": {
                "description": "In order; default all",
                "items": {
                  "enum": [
                    "selectors",
                    "json_ld",
                    "microdata",
                    "rdfa",
                    "meta",
                    "tables",
                    "definition_lists",
                    "repeated",
                  ],
                  "type": "string",
                },
                "type": "array",
              },
              "tab": {
                "description": "Tab id or "active"; default current",
                "type": "string",
              },
            },
            "required": [
              "schema",
            ],
            "type": "object",
          },
          "name": "extract_data",
          "title": "Extract data",
        },
        {
          "annotations": {
            "readOnlyHint": true,
          },
          "description": "Captures a page as it is now in one tar.gz with hashes. Use it with output_mode "handle" as proof. Not for reading: use read_page.",
          "inputSchema": {
            "properties": {
              "include": {
                "description": "Parts; default all",
                "items": {
                  "enum": [
                    "screenshot",
                    "full_page",
                    "mhtml",
                    "html",
                    "markdown",
                    "snapshot",
                    "network",
                    "console",
                    "cookies",
                    "storage",
                    "performance",
                    "facts",
                  ],
                  "type": "string",
                },
                "type": "array",
              },
              "output_inline_limit_bytes": {
                "description": "Limit of auto (32768)",
                "type": "integer",
              },
              "output_mode": {
                "description": "inline (default), handle, or auto: handle if large",
                "enum": [
                  "inline",
                  "handle",
                  "auto",
                ],
                "type": "string",
              },
              "reload": {
                "default": false,
                "description": "Reload first",
                "type": "boolean",
              },
              "tab": {
                "description": "Tab id or "active"; default current",
                "type": "string",
              },
            },
            "type": "object",
          },
          "name": "oc_evidence_bundle",
          "title": "Evidence bundle",
        },
        {
          "annotations": {
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Reads a stored output page by page. Use it with the output_handle of another tool and follow next_offset. Not needed when the preview was the whole.",
          "inputSchema": {
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
                "type": "integer",
              },
              "offset": {
                "default": 0,
                "description": "First item or byte",
                "type": "integer",
              },
              "output_handle": {
                "description": "oh_ and 12 characters",
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
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Shows what was called and which handles were made. Use it to find a handle again. Not for page content.",
          "inputSchema": {
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
                "type": "integer",
              },
              "since": {
                "description": "ISO time or age: 15m, 2h, 1d",
                "type": "string",
              },
              "tool": {
                "description": "Only this tool",
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
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Shows connected browsers and store usage. Use it when a call says browser_not_connected. Not for listing tabs.",
          "inputSchema": {
            "properties": {},
            "type": "object",
          },
          "name": "oc_connection_health",
          "title": "Connection health",
        },
        {
          "annotations": {
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Shows how far a run is. Use it to follow a run. Not for its items: use run_output.",
          "inputSchema": {
            "properties": {
              "run_id": {
                "description": "Run id",
                "type": "string",
              },
            },
            "required": [
              "run_id",
            ],
            "type": "object",
          },
          "name": "run_status",
          "title": "Run status",
        },
        {
          "annotations": {
            "openWorldHint": false,
            "readOnlyHint": true,
          },
          "description": "Reads the items of a run, also while it goes on. Follow next_offset. Not for handles: use oc_output_fetch.",
          "inputSchema": {
            "properties": {
              "limit": {
                "description": "Most items (200)",
                "type": "integer",
              },
              "offset": {
                "description": "First item",
                "type": "integer",
              },
              "run_id": {
                "description": "Run id",
                "type": "string",
              },
            },
            "required": [
              "run_id",
            ],
            "type": "object",
          },
          "name": "run_output",
          "title": "Run output",
        },
      ]
    `);
  });

  it('costs few tokens', async () => {
    const { tools } = await server.client.listTools();
    const perTool = tools.map((tool) => [tool.name, encode(JSON.stringify(tool)).length] as const);
    const total = encode(JSON.stringify(tools)).length;
    console.info(perTool.map(([name, tokens]) => `${name} ${tokens}`).join(', '), `together ${total}`);
    expect(total).toBeLessThan(2_600);
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
      mentioned.filter(
        (word) => !names.has(word) && !['output_mode', 'next_offset', 'run_id'].includes(word),
      ),
    ).toEqual([]);
  });
});
