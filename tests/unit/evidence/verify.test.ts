import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { runVerifyBundle } from '../../../server/cli/verify-bundle.ts';
import { verifyBundle } from '../../../server/tools/oc_evidence_bundle/verify.ts';
import { SEAL_BYTES } from '../../../server/tools/oc_evidence_bundle/tar.ts';
import {
  forgedBundle,
  forgedManifest,
  forgedPart,
  manifestOf,
  packedBundle,
  PARTS,
  sealed,
  sha256,
  zipped,
  type ForgedMember,
} from './bundles.ts';
import { rounds } from '../../support/depth.ts';
import { temporaryHome } from '../../support/home.ts';

async function problemsOf(bytes: Buffer, folder?: string): Promise<readonly string[]> {
  const path = join(folder ?? (await temporaryHome()), 'bundle.tar.gz');
  await writeFile(path, bytes);
  const { ok, problems } = await verifyBundle(path);
  expect(ok).toBe(problems.length === 0);
  return problems;
}

const WHOLE = [forgedPart('page.md'), forgedPart('facts.json'), forgedPart('cookies.json'), forgedManifest()];

it('a bundle is whole as it was packed, and the same bytes each time', async () => {
  const bytes = await packedBundle();
  expect(await problemsOf(bytes)).toEqual([]);
  expect((await packedBundle()).equals(bytes)).toBe(true);
});

it.runIf(process.platform === 'linux')('a bundle is unpacked by tar and by gzip', async () => {
  const folder = await temporaryHome();
  const path = join(folder, 'bundle.tar.gz');
  await writeFile(path, await packedBundle());
  const run = promisify(execFile);
  expect((await run('gzip', ['-tv', path])).stderr).toContain('OK');
  await run('tar', ['-xzf', path, '-C', folder]);
  expect(await readFile(join(folder, 'page.md'), 'utf8')).toBe(PARTS['page.md'].text);
  expect((await readdir(folder)).toSorted()).toEqual(
    ['bundle.tar.gz', 'cookies.json', 'facts.json', 'manifest.json', 'page.md'].toSorted(),
  );
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    parts: { sha256: string; name: string }[];
    parts_sha256: string;
  };
  const lines = manifest.parts.map(({ sha256: hash, name }) => `${hash}  ${name}\n`).join('');
  await writeFile(join(folder, 'sums'), lines);
  await run('sha256sum', ['--strict', '--check', 'sums'], { cwd: folder });
  expect(sha256(lines)).toBe(manifest.parts_sha256);
});

it(
  'a bundle is not whole when a byte has changed, or when it was cut off',
  { timeout: 120_000 },
  async () => {
    const bytes = await packedBundle();
    const folder = await temporaryHome();
    // A prime stride meets other fields in each member.
    for (let at = 0; at < bytes.length; at += rounds(1, 7)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(await problemsOf(changed, folder), `byte ${at}`).not.toEqual([]);
      expect(await problemsOf(bytes.subarray(0, at), folder), `${at} bytes`).not.toEqual([]);
    }
  },
);

describe('with a right seal over something else', () => {
  const [markdown, facts, cookies] = (['page.md', 'facts.json', 'cookies.json'] as const).map(forgedPart) as [
    ForgedMember,
    ForgedMember,
    ForgedMember,
  ];
  const manifest = forgedManifest();
  /** The parts under another manifest, or with another first one. */
  const under = (changes: object): readonly ForgedMember[] => [
    ...[markdown, facts, cookies],
    forgedManifest({ ...manifestOf(), ...changes }),
  ];
  const first = (member: ForgedMember): readonly ForgedMember[] => [member, facts, cookies, manifest];
  const alone = (header: ForgedMember[0]): readonly ForgedMember[] => [[header, ''], manifest];
  const refused: Record<string, [readonly ForgedMember[], RegExp]> = {
    'nothing else': [WHOLE, /^$/],
    'another content': [first([markdown[0], '# Mall\n\nStone-ground.\n']), /page\.md: its SHA-256 is/],
    'a missing member': [[markdown, cookies, manifest], /facts\.json is listed but missing/],
    'an extra member': [
      [markdown, facts, cookies, [{ name: 'more.json' }, '{}'], manifest],
      /more\.json is present but not listed/,
    ],
    'a member twice': [[markdown, facts, cookies, markdown, manifest], /"page\.md" appears twice/],
    'a member behind the manifest': [
      [markdown, facts, manifest, cookies],
      /follows manifest\.json, which comes last/,
    ],
    'no manifest': [[markdown, facts, cookies], /no manifest\.json/],
    'another time': [
      first([{ ...markdown[0], mtime: new Date(0) }, markdown[1]]),
      /its time is not the listed/,
    ],
    'a name above': [alone({ name: '../page.md' }), /may lead out of the folder/],
    'a symbolic link': [
      alone({ name: 'page.md', type: 'symlink', linkname: '/etc/passwd' }),
      /it is a symbolic link/,
    ],
    'a later format': [under({ format_version: 2 }), /format version 2; this program supports 1/],
    'a manifest that is not JSON': [[markdown, facts, cookies, forgedManifest('{')], /it is not JSON/],
    'a manifest of megabytes': [[forgedManifest(' '.repeat(5_000_000))], /manifest\.json has 5000000 bytes/],
    'another hash over the hashes': [under({ parts_sha256: '0'.repeat(64) }), /not the hash over/],
    'a part that is both there and failed': [
      under({
        failed: [
          { part: 'facts', code: 'timeout', message: '', hint: '', failed_at: '2026-11-20T10:00:00.500Z' },
        ],
      }),
      /listed twice/,
    ],
  };
  it.each(Object.entries(refused))('%s is judged', async (_, [members, problem]) => {
    expect((await problemsOf(await forgedBundle(members))).join('\n')).toMatch(problem);
  });

  it.each([
    ['a byte in a padding', (tar: Buffer) => Buffer.from(tar.fill(1, 1_000, 1_001)), /its bytes are not/],
    ['a byte behind the end', (tar: Buffer) => Buffer.concat([tar, Buffer.from([0])]), /cannot be unpacked/],
    ['an end of one block', (tar: Buffer) => tar.subarray(0, tar.length - 512), /its bytes are not/],
  ])('%s is named', async (_, change, problem) => {
    expect((await problemsOf(await forgedBundle(WHOLE, change))).join('\n')).toMatch(problem);
  });

  it('bytes between the compressed part and the seal are named', async () => {
    const whole = (await packedBundle()).subarray(0, -SEAL_BYTES);
    for (const more of [Buffer.alloc(1), zipped(Buffer.alloc(0)), randomBytes(1_000)]) {
      expect(await problemsOf(sealed(Buffer.concat([whole, more])))).not.toEqual([]);
      expect(await problemsOf(Buffer.concat([await packedBundle(), more]))).not.toEqual([]);
    }
  });
});

describe('the command', () => {
  const run = async (bytes: Buffer, more: { json?: boolean; sha256?: string } = {}) => {
    const file = join(await temporaryHome(), 'bundle.tar.gz');
    await writeFile(file, bytes);
    let text = '';
    const io = { write: (said: string) => void (text += said), isTerminal: false };
    return { code: await runVerifyBundle({ file, ...more }, io), text };
  };

  it('ends with 0 for a whole bundle alone', async () => {
    const bytes = await packedBundle();
    const good = await run(bytes);
    expect(good.code).toBe(0);
    expect(good.text).toContain('The bundle is intact: 3 parts');
    expect(good.text).toContain(sha256(bytes));
    const bad = await run(bytes.subarray(0, 400));
    expect(bad.code).toBe(1);
    expect(bad.text).toContain('The bundle is not intact:');
  });

  it('lets no page write to the terminal', async () => {
    const title = 'Mill\u001b[2J\u001b]0;owned\u0007\u202e\u2028\r\n✓ whole';
    const members = [...WHOLE.slice(0, 3), forgedManifest(manifestOf({ title }))];
    const { text } = await run(await forgedBundle(members));
    expect(text).not.toMatch(/[\p{Cf}\p{Zl}]|(?!\n)\p{Cc}/u);
    expect(text).toContain('Mill\\u{1b}[2J');
  });
});
