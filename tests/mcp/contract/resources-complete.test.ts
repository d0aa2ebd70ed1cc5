import { expect, it } from 'vitest';
import { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { startMemoryServer } from '../../support/memory-client.ts';

const handles: string[] = [];
const server = await startMemoryServer();
server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
const other = await server.connect();
await other.callTool({ name: 'read_page', arguments: { tab: 'b1:1', output_mode: 'handle' } });
for (let made = 0; made < 120; made += 1) {
  const answer = await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' });
  handles.unshift(OutputDescriptor.parse(answer.json()).output_handle);
}

const output = 'spillway://output/{handle}{?offset,limit,format,encoding}';

const complete = async (uri: string, name: string, value: string) =>
  (await server.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } }))
    .completion;

it("completion of a template offers this session's handles, newest first, at most 100, and says how many there are", async () => {
  expect(await complete(output, 'handle', 'oh_')).toEqual({
    values: handles.slice(0, 100),
    total: 120,
    hasMore: true,
  });
});

it('completion of a template refuses an unknown template with -32602', async () => {
  await expect(complete('spillway://nothing/{x}', 'x', '')).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining('ref.uri'),
  });
});
