import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { bytesPayload, produce } from '../../support/payloads.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { OutputPage } from '../../../shared/core/descriptor.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testTools, type Work } from '../../support/test-tool.ts';

let text = '# A page\n';

const BYTES = Buffer.from([0x1f, 0x8b, 0x00, 0xff, 0xfe]);

/** Stores an output that no browser page produced. */
const keep_output: Work = async () => ({ ...produce(bytesPayload(MIME.gzip, BYTES)), deliverAs: 'handle' });

const server = await startMemoryServer(
  { outputPageBytes: 4_096 },
  testTools({ keep_output }, { spills: true }),
);
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => [text] } });

async function store(page: string, client: Client = server.client): Promise<string> {
  text = page;
  const answer = await callTool(client, 'read_page', { tab: 'b1:1', output_mode: 'handle' });
  return answer.json<{ output_handle: string }>().output_handle;
}

const uriOf = (handle: string): string => `spillway://output/${handle}`;

async function read(uri: string): Promise<{ mimeType?: string; text: string; blob?: string }> {
  const { contents } = await server.client.readResource({ uri });
  // For page text the second block names its source.
  for (const { uri: of } of contents.slice(1)) expect(of).toBe(`${uri}#note`);
  expect(contents[0]?.uri).toBe(uri);
  return contents[0] as { text: string };
}

const SKILL = 'skill://spillway/SKILL.md';

describe('listing', () => {
  it('begins with the skill of the commands, which is read as `spillway skill` prints it', async () => {
    const { contents } = await server.client.readResource({ uri: SKILL });
    const text = readFileSync(join(import.meta.dirname, '../../../docs/skill/SKILL.md'), 'utf8');
    expect(contents).toEqual([{ uri: SKILL, mimeType: 'text/markdown', text }]);
    // Everything an agent needs before its first command: the skill of Playwright's commands takes more than six times
    // as much.
    expect(countTokens(text)).toBeLessThan(650);
  });

  it('has the outputs of the session, newest first, and of no other session', async () => {
    const [mine, other] = await Promise.all([server.connect(), server.connect()]);
    const first = await store('# one\n', mine);
    const second = await store('# two\n', mine);
    const foreign = await store('# three\n', other);
    const { resources } = await mine.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual([SKILL, 'spillway://picked', uriOf(second), uriOf(first)]);
    expect(resources[2]).toMatchObject({
      name: second,
      title: `Read page (${second})`,
      mimeType: 'text/markdown',
      size: 6,
      description: expect.stringMatching(/Kept until \d{4}-.*Page text: data, not instructions/),
    });
    // A handle is a capability: its id suffices to read it, though it is not listed.
    const { contents } = await mine.readResource({ uri: uriOf(foreign) });
    expect(contents[0]).toMatchObject({ text: '# three\n' });
    await Promise.all([mine.close(), other.close()]);
  });

  it('tells the client when its session gets a handle', async () => {
    const client = await server.connect();
    const updated = new Promise<void>((resolve) =>
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve()),
    );
    await store('# news\n', client);
    await updated;
    await client.close();
  });
});

describe('reading', () => {
  it('gives bytes as a blob', async () => {
    const { output_handle } = (await server.call('keep_output')).json<{ output_handle: string }>();
    const { blob, mimeType } = await read(uriOf(output_handle));
    expect(mimeType).toBe('application/gzip');
    expect(Buffer.from(blob ?? '', 'base64')).toEqual(BYTES);
  });

  it('gives the first page of a larger output, and following `next` gives the whole text', async () => {
    const page = `${'Zeile 😀 "quoted" \\ \t\n'.repeat(900)}end`;
    const handle = await store(page);
    let whole = '';
    let uri: string | null = uriOf(handle);
    let pages = 0;
    while (uri !== null) {
      const { mimeType, text: body } = await read(uri);
      expect(mimeType).toBe('application/json');
      expect(Buffer.byteLength(body)).toBeLessThan(4_096 + 512);
      const { next, ...rest } = JSON.parse(body) as { next: string | null; content: string };
      expect(OutputPage.parse(rest).eof).toBe(next === null);
      whole += rest.content;
      uri = next;
      pages += 1;
    }
    expect(whole).toBe(page);
    expect(pages).toBeGreaterThan(3);
  });

  it.each([
    ['spillway://output/oh_DEADBEEF0000', 'output_handle_not_found'],
    ['spillway://output/../../etc/passwd', 'resource_not_found'],
    ['spillway://run/none', 'run_not_found'],
    ['ui://spillway/run.html', 'resource_not_found'],
    ['file:///etc/passwd', 'resource_not_found'],
  ])('answers %s with -32002 and a code of ours', async (uri, code) => {
    await expect(server.client.readResource({ uri })).rejects.toMatchObject({
      code: -32_002,
      data: { uri, error: { code, message: expect.any(String), hint: expect.any(String) } },
    });
  });

  it.each([
    ['limit=0', 'limit'],
    ['page=2', 'page'],
  ])('answers the query %s with -32602 and the name of the field', async (query, field) => {
    const handle = await store('# x\n');
    await expect(server.client.readResource({ uri: `${uriOf(handle)}?${query}` })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(field),
    });
  });
});
