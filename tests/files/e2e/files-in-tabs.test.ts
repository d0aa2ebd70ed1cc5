import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { SITES } from '../../../fixtures/serve.ts';
import { silentWav } from '../../../fixtures/wav.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { servePages } from '../../support/calling.ts';
import { file } from '../../support/file-site.ts';
import { makePdf } from '../../support/pdf.ts';
import { launched } from '../../support/launched.ts';

const { server, ok } = await launched();

const PICTURE = readFileSync(join(SITES, 'evidence/picture.png'));
const typed = (body: string | Buffer, type: string) => file(body, { 'content-type': type });
const SIZE = 'width="300" height="300"';
const site = await servePages(
  {
    embed: `<h1>Frame</h1><embed src="/report.pdf" ${SIZE}>`,
    iframe: `<h1>Frame</h1><iframe src="/report.pdf" ${SIZE}></iframe>`,
    object: `<h1>Frame</h1><object data="/report.pdf" ${SIZE}></object>`,
    'other-site': `<h1>Frame</h1><iframe src="http://localhost:PORT/report.pdf" ${SIZE}></iframe>`,
  },
  {
    '/mill.png': typed(PICTURE, 'image/png'),
    '/wind.wav': typed(silentWav(65), 'audio/wav'),
    '/film.webm': typed(silentWav(1), 'video/webm'),
    '/notes.txt': typed('# one\n\n  two *three*\n', 'text/plain'),
    '/data.json': typed('{"a":[1,2],"b":"x"}', 'application/json'),
    '/feed.xml': typed('<?xml version="1.0"?><rss><title>Mills</title></rss>', 'application/xml'),
    '/mill.svg': typed(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><title>Mill</title><text y="9">Sails</text></svg>',
      'image/svg+xml',
    ),
    '/report.pdf': typed(await makePdf([[{ text: 'Four sails', y: 700 }]]), 'application/pdf'),
  },
);

async function read(path: string, args: Record<string, unknown> = {}): Promise<CallAnswer> {
  await ok('navigate', { url: site.url(path) });
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
    4,
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
