import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { runVerifyBundle } from '../../../server/evidence/command.ts';
import {
  fileOf,
  forgedBundle,
  forgedManifest,
  FORGED_PARTS,
  manifestOf,
  packedWacz,
  problemsOf,
  sha256,
  type ForgedMember,
} from './bundles.ts';
import { rounds } from '../../support/depth.ts';

it('the hashes of a manifest are those that sha256sum makes', () => {
  const { parts, parts_sha256: whole } = manifestOf();
  expect(sha256(parts.map(({ sha256: hash, name }) => `${hash}  ${name}\n`).join(''))).toBe(whole);
});

it('a bundle is not whole when it was cut off', async () => {
  const bytes = await packedWacz();
  for (let at = 0; at < bytes.length; at += rounds(83, 499))
    expect(await problemsOf(bytes.subarray(0, at)), `${at} bytes`).not.toEqual([]);
});

describe('with a right data package over something else', () => {
  const [markdown, facts, cookies] = FORGED_PARTS;
  const manifest = forgedManifest();
  /** The parts under another manifest, or with another first one. */
  const under = (changes: object): readonly ForgedMember[] => [
    ...FORGED_PARTS,
    forgedManifest({ ...manifestOf(), ...changes }),
  ];
  const first = (member: ForgedMember): readonly ForgedMember[] => [member, facts, cookies, manifest];
  const refused: Record<string, [readonly ForgedMember[], RegExp]> = {
    'nothing else': [[...FORGED_PARTS, manifest], /^$/],
    'another content': [first([markdown[0], '# Mall\n\nStone-ground.\n']), /page\.md: its SHA-256 is/],
    'a missing member': [[markdown, cookies, manifest], /facts\.json is listed but missing/],
    'an extra member': [
      [markdown, facts, cookies, ['more.json', '{}'], manifest],
      /more\.json is present but not listed/,
    ],
    'a member twice': [[markdown, facts, cookies, markdown, manifest], /"evidence\/page\.md" appears twice/],
    'a member behind the manifest': [[markdown, facts, manifest, cookies], /not in their order/],
    'no manifest': [FORGED_PARTS, /no evidence\/manifest\.json/],
    'a later format': [under({ format_version: 2 }), /format version 2; this program supports 1/],
    'a manifest that is not JSON': [[markdown, facts, cookies, forgedManifest('{')], /it is not JSON/],
    'a manifest of megabytes': [[forgedManifest(' '.repeat(5_000_000))], /manifest\.json" has 5000000 bytes/],
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

  it('a name that leads out of its folder is named', async () => {
    const bytes = await forgedBundle([['aa/page.md', ''], manifest]);
    const changed = bytes.toString('latin1').replaceAll('evidence/aa/', 'evidence/../');
    expect((await problemsOf(Buffer.from(changed, 'latin1'))).join()).toMatch(/invalid relative path/);
  });

  it('bytes before and behind the zip are named', async () => {
    const whole = await packedWacz();
    for (const more of [Buffer.alloc(1), randomBytes(1_000)])
      for (const changed of [Buffer.concat([whole, more]), Buffer.concat([more, whole])])
        expect(await problemsOf(changed)).not.toEqual([]);
  });
});

describe('the command', () => {
  const run = async (bytes: Buffer) => {
    let text = '';
    const io = { write: (said: string) => void (text += said), isTerminal: false };
    return { code: await runVerifyBundle({ file: await fileOf(bytes) }, io), text };
  };

  it('ends with 0 for a whole bundle alone', async () => {
    const bytes = await packedWacz();
    const good = await run(bytes);
    expect(good.code).toBe(0);
    expect(good.text).toContain('The bundle is intact: 5 parts');
    expect(good.text).toContain(sha256(bytes));
    const bad = await run(bytes.subarray(0, 400));
    expect(bad.code).toBe(1);
    expect(bad.text).toContain('The bundle is not intact:');
  });

  it('lets no page write to the terminal', async () => {
    const title = 'Mill\u001b[2J\u001b]0;owned\u0007\u202e\u2028\r\n✓ whole';
    const members = [...FORGED_PARTS, forgedManifest(manifestOf({ title }))];
    const { text } = await run(await forgedBundle(members));
    expect(text).not.toMatch(/[\p{Cf}\p{Zl}]|(?!\n)\p{Cc}/u);
    expect(text).toContain('Mill\\u{1b}[2J');
  });
});
