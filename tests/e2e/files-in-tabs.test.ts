import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { sample } from '../support/depth.ts';
import { SITES } from '../../fixtures/serve.ts';
import { silentWav } from '../../fixtures/wav.ts';
import type { CallAnswer } from '../support/call-tool.ts';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { makePdf } from '../support/pdf.ts';
import { launched } from '../support/launched.ts';
import type { StdioServer } from '../support/stdio-server.ts';

let site: FileSite;
let server: StdioServer;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PICTURE = readFileSync(join(SITES, 'evidence/picture.png'));

beforeAll(async () => {
  const wav = file(silentWav(65), { 'content-type': 'audio/wav' });
  const page =
    (body: (port: number) => string): ReturnType<typeof file> =>
    (response, request) =>
      void response.writeHead(200, HTML).end(body(request.socket.localPort ?? 0));
  const size = 'width="300" height="300"';
  site = await serveFiles({
    '/mill.png': file(PICTURE, { 'content-type': 'image/png' }),
    '/wind.wav': wav,
    '/film.webm': file(silentWav(1), { 'content-type': 'video/webm' }),
    '/notes.txt': file('# one\n\n  two *three*\n', { 'content-type': 'text/plain' }),
    '/data.json': file('{"a":[1,2],"b":"x"}', { 'content-type': 'application/json' }),
    '/feed.xml': file('<?xml version="1.0"?><rss><title>Mills</title></rss>', {
      'content-type': 'application/xml',
    }),
    '/mill.svg': file(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>Mill</title><text y="9">Sails</text></svg>',
      { 'content-type': 'image/svg+xml' },
    ),
    '/report.pdf': file(await makePdf([[{ text: 'Four sails', y: 700 }]]), {
      'content-type': 'application/pdf',
    }),
    '/embed': page(() => `<h1>Frame</h1><embed src="/report.pdf" ${size}>`),
    '/iframe': page(() => `<h1>Frame</h1><iframe src="/report.pdf" ${size}></iframe>`),
    '/object': page(() => `<h1>Frame</h1><object data="/report.pdf" ${size}></object>`),
    '/other-site': page(
      (port) => `<h1>Frame</h1><iframe src="http://localhost:${port}/report.pdf" ${size}></iframe>`,
    ),
  });
  ({ server } = await launched());
});

async function read(path: string, args: Record<string, unknown> = {}): Promise<CallAnswer> {
  expect((await server.call('navigate', { url: site.url(path) })).isError).toBe(false);
  return server.call('read_page', args);
}

it.each(
  sample(
    [
      ['/mill.png', `"mill.png", image/png, 12 × 8 pixels, ${PICTURE.length} bytes`],
      ['/wind.wav', '"wind.wav", audio/wav'],
      ['/film.webm', '"film.webm", video/webm'],
      ['/feed.xml', '"feed.xml", application/'],
      ['/mill.svg', '"mill.svg", image/svg+xml'],
    ] as const,
    4,
  ),
)('a tab that shows %s is named as a file, with what gets it', async (path, facts) => {
  const { notes, isError } = await read(path);
  expect(isError).toBe(false);
  expect(notes).toContain(`file: The tab shows a file, not a page: ${facts}`);
  expect(notes).toContain('Call fetch');
});

it.each([
  ['/notes.txt', '```\n# one\n\n  two *three*\n```\n'],
  ['/data.json', '```\n{"a":[1,2],"b":"x"}\n```\n'],
])('a tab that shows %s is its text', async (path, text) => {
  const answer = await read(path);
  expect(answer.text).toBe(text);
  expect(answer.notes).not.toContain('file:');
});

it.each(
  sample(
    [
      ['/embed', '127.0.0.1'],
      ['/iframe', '127.0.0.1'],
      ['/object', '127.0.0.1'],
      ['/other-site', 'localhost'],
    ] as const,
    3,
  ),
)('a page that shows a PDF %s names its address, and what reads it', async (path, host) => {
  const { text, notes } = await read(path);
  expect(text).toBe('# Frame\n');
  const address = `http://${host}:${site.port}/report.pdf`;
  expect(notes).toContain(
    `embedded_pdf: A PDF is embedded in the page. Call fetch with its url for its text: ${address}`,
  );
  expect(notes).not.toContain('closed_frame');
  expect((await server.call('fetch', { url: address })).text).toContain('Four sails');
});
