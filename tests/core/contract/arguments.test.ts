import { expect, it } from 'vitest';
import { z } from 'zod';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });

interface Case {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly names: string;
  readonly code?: string;
}

const cases: Case[] = [
  { tool: 'network', args: { filter: { urll: 'x' } }, names: 'filter.urll: unknown field; did you mean url' },
  { tool: 'read_page', args: { tab: 'b1' }, names: 'b1:42' },
  { tool: 'read_page', args: { selector: 'x'.repeat(2_001) }, names: 'selector' },
  { tool: 'read_page', args: { output_inline_limit_bytes: 1e12 }, names: 'output_inline_limit_bytes' },
  {
    tool: 'extract_data',
    args: { schema: {}, paginate: true },
    names: 'paginate: takes an object of next, scroll, max_pages.',
  },
  { tool: 'network', args: { action: 'begin' }, names: 'action: takes one of start, stop, slice, ' },
  { tool: 'oc_output_query', args: {}, names: 'output_handle: required; it takes a string.' },
  {
    tool: 'wait_for',
    args: { zebra: 1, quokka: 2 },
    names: 'zebra: unknown field; quokka: unknown field; it takes text, ',
  },
  { tool: 'oc_connection_health', args: { x: 1 }, names: 'x: unknown field; it takes none.' },
  { tool: 'tabs', args: { action: 'close' }, names: 'tab' },
  { tool: 'crawl', args: { url: 'https://a.test', scope: 'domain' }, names: 'scope: takes origin, host' },
  { tool: 'tabs', args: { action: 'list', browser: 'b9' }, names: 'b9', code: 'browser_not_found' },
  {
    tool: 'tabs',
    args: { action: 'open', url: 'javascript:1' },
    names: 'javascript:',
    code: 'url_not_allowed',
  },
  { tool: 'tabs', args: { action: 'close', tab: 'b1:999' }, names: '999', code: 'tab_not_found' },
  { tool: 'navigate', args: { action: 'back' }, names: 'back', code: 'no_current_tab' },
  ...['oh_DEADBEEF0000', '../../etc/passwd', 'oh_AAAAAAAAAAAA\0', 'x'.repeat(10_000)].map(
    (output_handle): Case => ({
      tool: 'oc_output_fetch',
      args: { output_handle },
      names: '',
      code: 'output_handle_not_found',
    }),
  ),
  { tool: 'docs_fetch', args: { page: '../package.json' }, names: 'page', code: 'docs_page_not_found' },
];

it.each(cases)('bad arguments $tool $args', async ({ tool, args, names, code }) => {
  const before = server.bridge.calls.length;
  const answer = await server.call(tool, args);
  expect(answer.isError).toBe(true);
  const { error } = answer.json<{ error: Record<string, unknown> }>();
  expect(error).toMatchObject({ code: code ?? 'invalid_argument', retryable: false });
  expect(String(error['message'])).toContain(names);
  expect(String(error['message'])).not.toMatch(/[.?]\.$/);
  expect(String(error['hint'])).not.toBe('');
  expect(answer.text.length).toBeLessThan(1_000);
  if (code === undefined) expect(server.bridge.calls).toHaveLength(before);
});

it('bad arguments an unknown tool is answered with the nearest names', async () => {
  const answer = await server.call('read_pages');
  expect(answer.code()).toBe('unknown_tool');
  expect(answer.text).toContain('read_page');
});

it.each([
  ['arguments that are a list', { name: 'tabs', arguments: [] }, 'invalid_argument', 'arguments'],
  ['no name', {}, 'unknown_tool', 'no tool'],
  ['a name of the prototype', { name: '__proto__' }, 'unknown_tool', '__proto__'],
  ['a very long name', { name: 'x'.repeat(100_000) }, 'unknown_tool', 'xxx'],
])('an invalid call %s is answered with a code', async (_name, params, code, names) => {
  const result = await server.client.request(
    { method: 'tools/call', params } as never,
    z.object({ isError: z.literal(true), content: z.tuple([z.object({ text: z.string() })]) }),
  );
  const { error } = JSON.parse(result.content[0].text) as { error: { code: string; message: string } };
  expect(error.code).toBe(code);
  expect(error.message).toContain(names);
  expect(error.message.length).toBeLessThan(500);
});
