import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import {
  FORMAT,
  FORMAT_VERSION,
  hashOfParts,
  MANIFEST_NAME,
  type Manifest,
  type CleanManifest,
} from '../../../server/evidence/manifest.ts';
import { verifyBundle } from '../../../server/evidence/verify.ts';
import { temporaryHome } from '../../support/home.ts';
import {
  dataPackageText,
  DIGEST_PATH,
  digestText,
  EVIDENCE_FOLDER,
  INDEX_PATH,
  PACKAGE_PATH,
  packZip,
  PAGES_PATH,
  WARC_PATH,
} from '../../../server/libraries/evidence-format/wacz.ts';
import { packWacz, type ShortMember } from '../../../server/evidence/wacz-pack.ts';
import { vouchAs } from '../../support/clean.ts';

const TIME = '2026-11-20T10:00:00.500Z';
const NOTHING = { secrets: {}, invisible_characters: 0, instruction_like: 0 };

export async function fileOf(content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryHome(), 'file');
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

export const checked = async (bytes: Uint8Array, expected: Parameters<typeof verifyBundle>[1] = {}) =>
  verifyBundle(await fileOf(bytes), expected);

export async function problemsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const { ok, problems } = await checked(bytes);
  expect(ok).toBe(problems.length === 0);
  return problems;
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const PARTS = {
  'page.md': { part: 'markdown', type: 'text/markdown', text: '# Mill\n\nStone-ground.\n' },
  'facts.json': { part: 'facts', type: 'application/json', text: '[\n{"kind":"page"}\n]\n' },
  'cookies.json': { part: 'cookies', type: 'application/json', text: '' },
} as const;

const partOf = (name: string, part: Manifest['parts'][number]['part'], type: string, text: string) => ({
  part,
  name,
  type,
  size_bytes: Buffer.byteLength(text),
  sha256: sha256(text),
  captured_at: TIME,
  took_ms: 3,
  redacted: NOTHING,
  notes: [],
});

export function manifestOf(changes: Partial<Manifest> = {}): Manifest {
  const parts = Object.entries(PARTS).map(([name, { part, type, text }]) => partOf(name, part, type, text));
  const given = changes.parts ?? parts;
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    created_at: TIME,
    tab: 'b1:1',
    url: 'http://fixture.test/',
    title: 'Mill',
    captured_by: 'A. Miller',
    case_reference: '2026/17',
    reload: null,
    versions: { server: '0.1.0', extension: '0.1.0', host: '0.1.0', browser: 'Chromium 156', wire: 1 },
    parts: given,
    failed: [],
    redaction: { enabled: true, ...NOTHING, not_redacted: [] },
    parts_sha256: hashOfParts(given),
    ...changes,
  };
}

/** A file of a forged bundle: its name, and what it holds. */
export type ForgedMember = readonly [name: string, content: string | Buffer];

const forgedPart = (name: keyof typeof PARTS): ForgedMember => [name, PARTS[name].text];
export const FORGED_PARTS = [
  forgedPart('page.md'),
  forgedPart('facts.json'),
  forgedPart('cookies.json'),
] as const;
export const forgedManifest = (manifest: unknown = manifestOf()): ForgedMember => [
  MANIFEST_NAME,
  typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
];

export async function zipOf(files: readonly ForgedMember[]): Promise<Buffer> {
  const members = files.map(([name, content]) => {
    const bytes = Buffer.from(content);
    return { name, sizeBytes: bytes.length, open: () => Readable.from([bytes]) };
  });
  const chunks: Buffer[] = [];
  for await (const chunk of packZip(members, new AbortController().signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A bundle whose data package is right, over any evidence. */
export function forgedBundle(evidence: readonly ForgedMember[]): Promise<Buffer> {
  const files: readonly ForgedMember[] = [
    ...[WARC_PATH, INDEX_PATH, PAGES_PATH].map((path) => [path, ''] as const),
    ...evidence.map(([name, content]) => [EVIDENCE_FOLDER + name, content] as const),
  ];
  const listed = files.map(([path, content]) => ({
    name: path,
    sizeBytes: Buffer.byteLength(content),
    sha256: sha256(content),
  }));
  const dataPackage = dataPackageText(manifestOf(), listed);
  return zipOf([...files, [PACKAGE_PATH, dataPackage], [DIGEST_PATH, digestText(Buffer.from(dataPackage))]]);
}

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

const WACZ_PARTS = [
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
  for (const [, name, , text] of WACZ_PARTS) await writeFile(join(folder, name), text);
  const parts = WACZ_PARTS.map(([part, name, type, text]) => partOf(name, part, type, text));
  const manifest = manifestOf({ parts, parts_sha256: hashOfParts(parts) });
  return { manifest: vouchAs<Manifest, CleanManifest>(manifest), folder };
}

export async function packedWacz(...attached: readonly ShortMember[]): Promise<Buffer> {
  const { manifest, folder } = await waczParts();
  const { signal } = new AbortController();
  const chunks: Uint8Array[] = [];
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const last = () => [{ name: MANIFEST_NAME, bytes }, ...attached];
  for await (const chunk of packWacz({ manifest, last, folder, signal })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
