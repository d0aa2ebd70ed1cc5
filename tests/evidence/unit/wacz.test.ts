import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { digestText } from '../../../server/libraries/evidence-format/wacz.ts';
import { rounds } from '../../support/depth.ts';
import { packedWacz, problemsOf, sha256, zipOf } from './bundles.ts';
import { FakeTab } from './fake-tab.ts';
import { bytesOf, rig } from './rig.ts';

type Files = Record<string, Uint8Array>;

const filesOf = (files: Files) =>
  Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)] as const);
const text = (files: Files, name: string): string => Buffer.from(files[name] ?? []).toString('utf8');

it('a WACZ is a zip of stored files that its data package lists', async () => {
  const bytes = await packedWacz();
  const files = unzipSync(bytes);
  expect(Object.keys(files)).toEqual([
    ...['archive/data.warc.gz', 'indexes/index.cdx', 'pages/pages.jsonl', 'evidence/screenshot.png'],
    ...['evidence/page.html', 'evidence/page.md', 'evidence/cookies.json', 'evidence/network.har'],
    ...['evidence/manifest.json', 'datapackage.json', 'datapackage-digest.json'],
  ]);
  unzipSync(bytes, {
    filter: ({ name, compression }) => {
      expect(compression, name).toBe(0);
      return false;
    },
  });
  const dataPackage = JSON.parse(text(files, 'datapackage.json')) as {
    resources: { path: string; hash: string; bytes: number }[];
  };
  expect(dataPackage).toMatchObject({
    profile: 'data-package',
    wacz_version: '1.1.1',
    mainPageUrl: 'http://fixture.test/',
  });
  for (const { path, hash, bytes: size } of dataPackage.resources) {
    const content = Buffer.from(files[path] ?? []);
    expect([path, size, hash]).toEqual([path, content.length, `sha256:${sha256(content)}`]);
  }
  expect(dataPackage.resources.map(({ path }) => path)).toEqual(Object.keys(files).slice(0, -2));
  expect(JSON.parse(text(files, 'datapackage-digest.json'))).toEqual({
    path: 'datapackage.json',
    hash: `sha256:${sha256(text(files, 'datapackage.json'))}`,
  });
  const [heading, page, ...more] = text(files, 'pages/pages.jsonl').split('\n');
  expect(JSON.parse(heading ?? '')).toMatchObject({ format: 'json-pages-1.0' });
  expect(JSON.parse(page ?? '')).toMatchObject({
    url: 'http://fixture.test/',
    ts: '2026-11-20T10:00:00.500Z',
    title: 'Mill',
  });
  expect(more).toEqual(['']);
});

it('a WACZ is intact as it was packed, and the same bytes each time', async () => {
  const bytes = await packedWacz();
  expect(await problemsOf(bytes)).toEqual([]);
  expect((await packedWacz()).equals(bytes)).toBe(true);
});

it('a WACZ is not intact when a byte has changed', { timeout: 120_000 }, async () => {
  const bytes = await packedWacz();
  // Every byte would take a minute; a prime stride hits different fields in each member.
  for (let at = 0; at < bytes.length; at += rounds(83, 499)) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
    expect(await problemsOf(changed), `byte ${at}`).not.toEqual([]);
  }
});

const changes: Record<string, [(files: Files) => Files, RegExp]> = {
  'a missing part': [
    ({ 'evidence/page.md': _gone, ...files }) => files,
    /evidence\/page\.md is listed but missing/,
  ],
  'another part': [
    (files) => ({ ...files, 'evidence/page.md': Buffer.from('Mall\n') }),
    /evidence\/page\.md: its SHA-256/,
  ],
  'a file more': [
    (files) => ({ ...files, 'archive/more.warc': Buffer.from('') }),
    /archive\/more\.warc is present but not listed/,
  ],
  'another digest': [
    (files) => ({ ...files, 'datapackage-digest.json': Buffer.from(digestText(Buffer.from('x'))) }),
    /it is not the digest of datapackage\.json/,
  ],
  'a data package that was written again': [
    (files) => {
      const part = Buffer.from('Mall\n');
      const changed = text(files, 'datapackage.json').replace(
        sha256(Buffer.from(files['evidence/page.md'] ?? [])),
        sha256(part),
      );
      return {
        ...files,
        'evidence/page.md': part,
        'datapackage.json': Buffer.from(changed),
        'datapackage-digest.json': Buffer.from(digestText(Buffer.from(changed))),
      };
    },
    /^page\.md: its SHA-256/m,
  ],
};
it.each(Object.entries(changes))('a WACZ with %s is named', async (_, [change, problem]) => {
  const files = unzipSync(await packedWacz());
  expect((await problemsOf(await zipOf(filesOf(change(files))))).join('\n')).toMatch(problem);
});

const SECRET = `ghp_${'a1B2c3D4'.repeat(5)}`;

it('the tool packs what it redacted, and nothing that it did not', async () => {
  const tab = new FakeTab();
  tab.url = `http://fixture.test/?access_token=${SECRET}`;
  tab.text = `<p>token: ${SECRET}</p>`;
  tab.isCaptured = true;
  const { run, finish } = await rig(tab);
  const produced = await run();
  expect(produced).toMatchObject({ clean: { mimeType: 'application/wacz' } });
  const bytes = await bytesOf(produced);
  expect(await problemsOf(bytes)).toEqual([]);
  const files = unzipSync(bytes);
  const warc = gunzipSync(files['archive/data.warc.gz'] ?? new Uint8Array()).toString('latin1');
  expect(Object.values(files).map((file) => Buffer.from(file).toString('latin1'))).not.toContainEqual(
    expect.stringContaining(SECRET),
  );
  expect(warc).not.toContain(SECRET);
  expect(text(files, 'indexes/index.cdx')).toMatch(/redacted/);
  const { coverage } = produced.outcome();
  expect(coverage[0]).toBe(`SHA-256 of the archive: ${sha256(bytes)}.`);
  expect(await finish()).toEqual([]);
});
