import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShortMember } from '../../../server/tools/oc_evidence_bundle/tar.ts';
import type { CleanManifest } from '../../../server/tools/oc_evidence_bundle/manifest.ts';
import {
  hashOfParts,
  MANIFEST_NAME,
  type Manifest,
} from '../../../server/tools/oc_evidence_bundle/manifest.ts';
import { packWacz } from '../../../server/tools/oc_evidence_bundle/wacz-pack.ts';
import { vouchAs } from '../../support/clean.ts';
import { temporaryHome } from '../../support/home.ts';
import { manifestOf, partOf } from './bundles.ts';

const PAGE =
  '<!DOCTYPE html>\n<html><head><link rel="stylesheet" href="http://fixture.test/a.css"></head><body>Mill</body></html>';

const entry = (url: string, type: string, content: object, method = 'GET', status = 200) => ({
  startedDateTime: '2026-11-20T09:59:59.250+00:00',
  request: { method, url },
  response: {
    status,
    headers: [
      { name: 'Content-Type', value: type },
      { name: 'Content-Encoding', value: 'br' },
      { name: 'X-Split', value: 'a\r\nb: c' },
    ],
    content: { mimeType: type, ...content },
  },
});

const HAR_ENTRIES = [
  entry('http://fixture.test/', 'text/html', { text: 'as it was sent' }),
  entry('http://fixture.test/a.css#part', 'text/css; charset=latin1', { text: 'p { content: "ż" }' }),
  entry('http://fixture.test/dot.png', 'image/png', { text: 'iVBORw0KGgo=', encoding: 'base64' }),
  entry('http://fixture.test/old', 'text/html', {}, 'GET', 301),
  entry('http://fixture.test/lost', 'text/html', {}),
  entry('http://fixture.test/send', 'text/html', { text: 'sent' }, 'POST'),
  entry('data:text/plain,x', 'text/plain', { text: 'x' }),
];

const lines = HAR_ENTRIES.map((each) => JSON.stringify(each)).join(',\n');

const PARTS = [
  ['screenshot', 'screenshot.png', 'image/png', 'a picture'],
  ['html', 'page.html', 'text/html', PAGE],
  ['markdown', 'page.md', 'text/markdown', 'Mill\n'],
  ['cookies', 'cookies.json', 'application/json', ''],
  [
    'network',
    'network.har',
    'application/json',
    `{"log":{"version":"1.2","entries":[\n${lines}\n],"pages":[]}}\n`,
  ],
] as const;

async function waczParts(): Promise<{ manifest: CleanManifest; folder: string }> {
  const folder = await temporaryHome();
  for (const [, name, , text] of PARTS) await writeFile(join(folder, name), text);
  const parts = PARTS.map(([part, name, type, text]) => partOf(name, part, type, text));
  const manifest = manifestOf({ parts, parts_sha256: hashOfParts(parts) });
  return { manifest: vouchAs<Manifest, CleanManifest>(manifest), folder };
}

export async function packedWacz(...attached: readonly ShortMember[]): Promise<Buffer> {
  const { manifest, folder } = await waczParts();
  const { signal } = new AbortController();
  const chunks: Uint8Array[] = [];
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const last = () => [{ name: MANIFEST_NAME, bytes }, ...attached];
  for await (const chunk of packWacz({ manifest, last, folder, signal, onSha256: () => undefined }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}
