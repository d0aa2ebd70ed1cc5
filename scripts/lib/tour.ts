import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { serveFixtures } from '../../fixtures/serve.ts';
import { OutputDescriptor, OutputPage } from '../../shared/core/descriptor.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import { definedOnly } from './environment.ts';
import { formatAccount, type Reading, type Tour } from './account.ts';
import { CACHE } from './run.mjs';
import { PlainError, step } from './steps.mjs';
import { SERVER } from './server-process.ts';
import { messageOf } from '../../shared/base/message-of.ts';

const BUNDLED_PAGE = '/many-pages/long.html';
const CALL_TIMEOUT_MS = 90_000;

const TextResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().default('') })).min(1),
});
const Failure = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });
const Navigated = z.looseObject({
  url: z.string(),
  title: z.string(),
  status: z.int().nullable().optional(),
});

interface Target {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The text of an answer, all of its blocks together, and the time it took. */
interface Answer {
  readonly text: string;
  readonly whole: string;
  readonly tookMs: number;
}
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;
type Say = (text: string) => void;

/**
 * Starts the built server with a browser of its own and, as its client over stdio, reads one page in every output mode;
 * prints an account.
 * @param wanted an http(s) url or a file; by default the bundled page
 * @param named the flags that name the browser; by default, a Chromium
 * @throws PlainError if the page cannot be loaded, or if a page of the handle differs from the stored one
 */
export async function readOnePage(wanted: string | undefined, named: readonly string[]): Promise<void> {
  const target = await openTarget(wanted);
  const home = join(CACHE, 'home');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER, ...['--launch', '--headless', ...named], '--home', home, '--log-level', 'error'],
    stderr: 'pipe',
    env: definedOnly(process.env),
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const client = new Client({ name: 'spillway-start', version: '1' });
  try {
    const tour = await takeTour(client, transport, { url: target.url, home });
    console.log(`\n${formatAccount(tour)}`);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const message = messageOf(error);
    throw new PlainError([message, stderr.trim()].filter((part) => part !== '').join('\n'));
  } finally {
    await client.close();
    await target.close();
  }
}

async function takeTour(
  client: Client,
  transport: StdioClientTransport,
  { url, home }: { url: string; home: string },
): Promise<Tour> {
  const call: Call = (name, args) => callTool(client, name, args);
  await step('server', async () => {
    await client.connect(transport);
    const { tools } = await client.listTools();
    return `${tools.length} tools over stdio`;
  });
  let page: z.infer<typeof Navigated> | undefined;
  await step('page', async (say: Say) => {
    say(`starting a private browser and loading ${url}`);
    page = Navigated.parse(JSON.parse((await call('navigate', { url })).text));
    return `${page.title || 'untitled'}, ${page.url}`;
  });
  if (page === undefined) throw new PlainError('The page was not loaded.');
  const readings: Reading[] = [];
  await step('read', async () => {
    // The first read has costs that occur once; the modes are compared without them.
    await call('read_page', { output_mode: 'handle' });
    for (const mode of ['inline', 'handle', 'auto'] as const) readings.push(await read(call, mode));
    return 'inline, handle, auto';
  });
  const handle = readings.find(({ mode }) => mode === 'handle')?.descriptor;
  if (handle === undefined || handle === null)
    throw new PlainError('output_mode "handle" returned no handle.');
  let paging: Tour['paging'] | undefined;
  await step('pages', async () => {
    paging = await pageToTheEnd(call, handle, home);
    return `${paging.pages} ${paging.pages === 1 ? 'page' : 'pages'}, the stored bytes exactly`;
  });
  if (paging === undefined) throw new PlainError('The handle was not paged.');
  return { title: page.title, url: page.url, status: page.status ?? null, readings, paging };
}

async function read(call: Call, mode: Reading['mode']): Promise<Reading> {
  const { text, whole, tookMs } = await call('read_page', { output_mode: mode });
  const parsed = text.startsWith('{"output_handle"') ? OutputDescriptor.parse(JSON.parse(text)) : null;
  return {
    mode,
    sizeBytes: Buffer.byteLength(whole),
    tokens: countTokens(whole, { allowedSpecial: 'all' }),
    tookMs,
    descriptor: parsed,
  };
}

/** Follows `next_offset` and compares the pages with the file in the store. */
async function pageToTheEnd(call: Call, descriptor: OutputDescriptor, home: string): Promise<Tour['paging']> {
  const handle = descriptor.output_handle;
  const parts: Buffer[] = [];
  const startedAt = performance.now();
  for (let offset: number | null = 0; offset !== null;) {
    const { text } = await call('oc_output_fetch', { output_handle: handle, offset, format: 'bytes' });
    const page = OutputPage.parse(JSON.parse(text));
    if (typeof page.content !== 'string') throw new PlainError('A page of text had no text.');
    parts.push(Buffer.from(page.content));
    offset = page.next_offset;
  }
  const tookMs = performance.now() - startedAt;
  const path = await findStored(home, handle);
  const fetched = Buffer.concat(parts);
  if (!fetched.equals(await readFile(path)))
    throw new PlainError(`The ${parts.length} pages together differ from what is stored in ${path}.`);
  return {
    handle,
    path,
    pages: parts.length,
    sizeBytes: fetched.length,
    tookMs,
    expiresAt: descriptor.expires_at,
  };
}

async function findStored(home: string, handle: string): Promise<string> {
  const output = join(home, 'output');
  const names = await readdir(output, { recursive: true });
  const name = names.find((one) => basename(one).startsWith(`${handle}.`) && !one.endsWith('.index'));
  if (name !== undefined) return join(output, name);
  throw new PlainError(`The file of ${handle} is not below ${output}.`);
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await client.callTool({ name, arguments: args }, undefined, { timeout: CALL_TIMEOUT_MS });
  const tookMs = performance.now() - startedAt;
  const { isError, content } = TextResult.parse(answer);
  const text = content[0]?.text ?? '';
  if (isError) {
    const { code, message, hint } = Failure.parse(JSON.parse(text)).error;
    throw new PlainError(`${name}: ${message} (${code})\n${hint}`);
  }
  return { text, whole: content.map((block) => block.text).join('\n'), tookMs };
}

/** A url as it is; a file, or the bundled page, served on loopback. */
async function openTarget(wanted: string | undefined): Promise<Target> {
  if (wanted === undefined) {
    const server = await serveFixtures();
    return { url: server.url + BUNDLED_PAGE, close: server.close };
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(wanted) && !existsSync(wanted)) {
    const url = parseUrl(wanted);
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      throw new PlainError(`${wanted} is not an http or https url.`);
    return { url: url.href, close: async () => {} };
  }
  // npm changes to the folder of the package and says where the person was.
  const path = resolve(
    process.env['npm_lifecycle_event'] === 'start' ? (process.env['INIT_CWD'] ?? '') : '',
    wanted,
  );
  if (!existsSync(path))
    throw new PlainError(`There is no file ${path}. Pass a file, or a url with https://`);
  const isFolder = statSync(path).isDirectory();
  const server = await serveFixtures({ root: isFolder ? path : dirname(path) });
  return { url: `${server.url}/${isFolder ? '' : encodeURIComponent(basename(path))}`, close: server.close };
}
