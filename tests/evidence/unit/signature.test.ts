import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runVerifyBundle } from '../../../server/evidence/command.ts';
import { SIGNATURE_NAME, signManifest } from '../../../server/evidence/manifest.ts';
import { temporaryHome } from '../../support/home.ts';
import {
  checked,
  fileOf,
  forgedBundle,
  forgedManifest,
  FORGED_PARTS,
  manifestOf,
  problemsOf,
} from './bundles.ts';
import { FakeTab } from './fake-tab.ts';
import { bytesOf, rig } from './rig.ts';

const PAIRS = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'rsa-sha256': generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} as const;
const { privateKey, publicKey } = PAIRS.ed25519;

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('a bundle', () => {
  it.each(Object.entries(PAIRS))('is signed with %s', async (algorithm, pair) => {
    const { run } = await rig(new FakeTab(), await fileOf(pemOf(pair.privateKey)));
    const bytes = await bytesOf(await run({ include: ['markdown'] }));
    expect(await checked(bytes, { key: pair.publicKey })).toMatchObject({
      problems: [],
      signature: { algorithm, is_expected: true, key_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await checked(bytes)).toMatchObject({ ok: true, signature: { is_expected: null } });
    const other = generateKeyPairSync('ed25519').publicKey;
    expect((await checked(bytes, { key: other })).problems).toEqual(['it is signed with another key']);
  });

  it('that is not signed is intact, and not what a key is expected for', async () => {
    const { run } = await rig();
    const bytes = await bytesOf(await run({ include: ['markdown'] }));
    expect(await checked(bytes)).toMatchObject({ ok: true, signature: null });
    expect((await checked(bytes, { key: publicKey })).problems).toEqual(['it is not signed']);
  });
});

const right = signManifest(Buffer.from(JSON.stringify(manifestOf())), privateKey);
it.each([
  ['of another manifest', signManifest(Buffer.from('{}'), privateKey), /does not sign manifest\.json/],
  ['that is cut', right.replace(/"signature": "..../, '"signature": "'), /does not sign manifest\.json/],
  ['of another algorithm', right.replace('ed25519', 'rsa-sha256'), /does not sign manifest\.json/],
  ['with a private key', right.replaceAll('PUBLIC KEY', 'PRIVATE KEY'), /is not a signature/],
  ['of megabytes', ' '.repeat(100_000), /signature\.json" has 100000 bytes/],
])('a signature %s is named', async (_, signature, problem) => {
  const bytes = await forgedBundle([...FORGED_PARTS, forgedManifest(), [SIGNATURE_NAME, signature]]);
  expect((await problemsOf(bytes)).join('\n')).toMatch(problem);
});

const encrypted = privateKey
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();
const refused: Record<string, [() => Promise<string>, RegExp]> = {
  'that is not there': [async () => join(await temporaryHome(), 'none'), /cannot be read \(ENOENT\)/],
  'that is encrypted': [() => fileOf(encrypted), /is encrypted/],
  'of a public key': [
    () => fileOf(publicKey.export({ type: 'spki', format: 'pem' })),
    /does not hold a private key/,
  ],
};
it.each(Object.entries(refused))(
  'a key file %s ends the call before anything is captured',
  async (_, [path, reason]) => {
    const { run, tab } = await rig(new FakeTab(), await path());
    const error = await run({ include: ['markdown'] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'evidence_key_invalid', message: expect.stringMatching(reason) });
    expect(String(error)).not.toContain('a password');
    expect(tab.calls).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')('a key file that others can read is refused', async () => {
  const path = await fileOf(pemOf(privateKey));
  await chmod(path, 0o640);
  const { run } = await rig(new FakeTab(), path);
  await expect(run()).rejects.toMatchObject({ code: 'evidence_key_invalid' });
});

it('the command checks the key', async () => {
  const { run } = await rig(new FakeTab(), await fileOf(pemOf(privateKey)));
  const file = await fileOf(await bytesOf(await run({ include: ['markdown'] })));
  let printed = '';
  const io = { write: (more: string) => void (printed += more), isTerminal: false };
  const pem = await fileOf(publicKey.export({ type: 'spki', format: 'pem' }));
  expect(await runVerifyBundle({ file, publicKey: pem }, io)).toBe(0);
  expect(printed).toContain('It is signed with the given key.');
  const other = await fileOf(PAIRS['rsa-sha256'].publicKey.export({ type: 'spki', format: 'pem' }));
  expect(await runVerifyBundle({ file, publicKey: other }, io)).toBe(1);
  await expect(runVerifyBundle({ file, publicKey: file }, io)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});
