import { expect, it, test } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
server.bridge.addBrowser({ 1: { url: 'https://mill.test/a/b', title: 'Mill', content: () => [] } });

let isReleased = false;

/** From now on every address answers this body, in chunks cut at any position. */
function serve(body: Uint8Array | string, headers: Record<string, string>, isCut = false): void {
  isReleased = false;
  server.bridge.answer({
    'fetch.file': async function* ({ url }) {
      const head = { final_url: url, status: 200, redirects: [], headers };
      const wire = `${JSON.stringify(head)}\n${Buffer.from(body).toString('base64')}`;
      try {
        for (let at = 0; at < wire.length; at += 7) yield wire.slice(at, at + 7);
      } finally {
        isReleased = true;
      }
      return { final_url: url, size_bytes: Buffer.byteLength(body), is_cut: isCut };
    },
  });
}

test('a text is itself, however the stream is cut', async () => {
  serve('four sails, naïvely 💨\n', { 'content-type': 'text/plain; charset=utf-8' });
  const answer = await server.call('fetch', { url: 'https://mill.test/sails.txt' });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toBe('four sails, naïvely 💨\n');
  expect(answer.notes).toContain('File: "sails.txt", text/plain; charset=utf-8');
});

test('a type that the store does not know is stored as octets, and named in the notes', async () => {
  serve(Buffer.from([0, 1, 2, 255]), { 'content-type': 'application/x-mill' });
  const answer = await server.call('fetch', { url: 'https://mill.test/x', output_mode: 'handle' });
  const octets = { mime_type: 'application/octet-stream', size_bytes: 4, preview: null };
  expect(answer.json()).toMatchObject(octets);
  expect(answer.notes).toContain('application/x-mill, 4 bytes');
});

test('a PDF is known however short its first chunk is', async () => {
  serve(`\n%PDF-1.7\n${'x'.repeat(2_000)}`, {});
  const args = { url: 'https://mill.test/x', as: 'bytes', output_mode: 'handle' };
  expect((await server.call('fetch', args)).json()).toMatchObject({ mime_type: 'application/pdf' });
});

test('pages of a file that is not a PDF are refused, and its stream is released', async () => {
  serve('four sails', {});
  const answer = await server.call('fetch', { url: 'https://mill.test/x', pages: '1-3' });
  expect([answer.code(), isReleased]).toEqual(['invalid_argument', true]);
});

it.each([
  ['/c', 'https://mill.test/c'],
  ['./c', 'https://mill.test/a/c'],
  ['mill.test/c', 'https://mill.test/c'],
])('%s is fetched as %s', async (url, fetched) => {
  serve('', {});
  await server.call('fetch', { url, tab: 'b1:1' });
  expect(server.bridge.calls.at(-1)).toMatchObject({ method: 'fetch.file', params: { url: fetched } });
});

test('a relative url without a tab says what to pass', async () => {
  const client = await server.connect();
  const raw = await client.callTool({ name: 'fetch', arguments: { url: '/c' } });
  expect(JSON.stringify(raw)).toContain('no_current_tab');
  await client.close();
});

test('a path without its dot says how to write it', async () => {
  const answer = await server.call('fetch', { url: 'files/c', tab: 'b1:1' });
  expect(answer.text).toContain('begins with / or ./.');
});
