import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { codeAt, parseTotp, waitAt } from '../../../server/core/secrets/totp.ts';
import { askVault } from '../../../server/core/secrets/vault.ts';
import { readSecrets } from '../../../server/core/secrets.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { isPidRunning } from '../../../server/core/machine/process-identity.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

const folder = testFolder();

const refuse = (why: string): Error => new Error(why);
/** The keys of RFC 6238, appendix B: ASCII digits, as long as the hash. */
const RFC = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  SHA512:
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA',
} as const;

/** The codes of the RFC; the rest is from oathtool 2.6.7 (`oathtool --totp=… -d … -s … -N @… -b KEY`). */
it.each([
  ['SHA1', 59, 'digits=8', '94287082'],
  ['SHA256', 59, 'digits=8', '46119246'],
  ['SHA512', 59, 'digits=8', '90693936'],
  ['SHA1', 1_111_111_109, 'digits=8', '07081804'],
  ['SHA256', 1_111_111_109, 'digits=8', '68084774'],
  ['SHA512', 1_111_111_109, 'digits=8', '25091201'],
  ['SHA1', 20_000_000_000, 'digits=8', '65353130'],
  ['SHA256', 20_000_000_000, 'digits=8', '77737706'],
  ['SHA512', 20_000_000_000, 'digits=8', '47863826'],
  ['SHA1', 1_111_111_109, '', '081804'],
  ['SHA1', 1_234_567_890, 'digits=7&period=60', '5713351'],
  ['SHA256', 1_234_567_890, 'digits=7&period=60', '6450756'],
  ['SHA512', 1_234_567_890, 'digits=7&period=60', '5275929'],
] as const)('a code of %s at %d s with %s is %s', (algorithm, at, rest, code) => {
  const totp = parseTotp(
    `otpauth://totp/A:b%40c?secret=${RFC[algorithm]}&algorithm=${algorithm}&${rest}`,
    refuse,
  );
  expect(codeAt(totp, at * 1_000)).toBe(code);
});

it('a key may be in lower case, in groups and padded', () => {
  const keys = [
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    'gezd gnbv gy3t qojq gezd gnbv gy3t qojq',
    'GEZDGNBV-GY3TQOJQ-GEZDGNBV-GY3TQOJQ===',
  ];
  const codes = keys.map((key) =>
    codeAt(parseTotp(`otpauth://totp/a?secret=${encodeURIComponent(key)}`, refuse), 59_000),
  );
  expect(new Set(codes)).toEqual(new Set(['287082']));
});

it('a code that is nearly over is waited out', () => {
  const totp = parseTotp(`otpauth://totp/a?secret=${RFC.SHA1}`, refuse);
  expect([0, 27_999, 28_000, 29_999, 30_000].map((at) => waitAt(totp, at))).toEqual([0, 0, 2_000, 1, 0]);
});

/** A program of a vault that does not ask its person. */
function vault(script: string): string {
  const path = join(folder, 'vault');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const HIDDEN = 'hunter22';

it('a vault gets its arguments unread by a shell, and its first line counts', async () => {
  const program = vault(`printf '%s\\n' "$1" "user: ada"`);
  expect(await askVault('A', [program, '$(id); `id` "*"'])).toBe('$(id); `id` "*"');
});

it.each([
  ['ended with code 3', `echo ${HIDDEN}; echo ${HIDDEN} >&2; exit 3`],
  ['ended with SIGTERM', `echo ${HIDDEN}; kill -TERM $$`],
  ['printed no text on its first line', `echo; echo ${HIDDEN}`],
  ['printed no text on its first line', String.raw`printf '${HIDDEN}\377\n'`],
  ['printed more than 64 KiB, and was ended', `yes ${HIDDEN}`],
])('a vault that %s is named, and what it printed is not', async (why, script) => {
  const failed: unknown = await askVault('A', [vault(script)]).catch((thrown: unknown) => thrown);
  expect(failed).toMatchObject({
    code: 'secret_unavailable',
    message: `secret:A: its command ("vault") ${why}.`,
  });
  expect(JSON.stringify(failed)).not.toContain(HIDDEN);
});

it('a vault that is not there is named', async () => {
  await expect(askVault('A', [join(folder, 'none')])).rejects.toThrow(
    'its command ("none") cannot be started (ENOENT).',
  );
});

it('a vault that hangs is ended, with the programs that it started', async () => {
  const note = join(folder, 'pids');
  const program = vault(`sleep 600 & echo "$$ $!" > ${note}; wait`);
  await expect(askVault('A', [program], 500)).rejects.toThrow('did not answer within 0.5 s, and was ended');
  await expect.poll(() => existsSync(note), PATIENCE).toBe(true);
  const pids = readFileSync(note, 'utf8').trim().split(' ').map(Number);
  await expect.poll(() => pids.map(isPidRunning), PATIENCE).toEqual([false, false]);
});

const KEY = 'JBSWY3DPEHPK3PXP';

function secretsIn(source: string, now?: () => number) {
  const path = join(folder, 'secrets.env');
  writeFileSync(path, source);
  chmodSync(path, 0o600);
  return readSecrets(path, now);
}

it('is made when it is taken, and redacted from then on: codes, printed values, and keys from the start', async () => {
  const address = `otpauth://totp/Shop:ada?secret=${KEY}&issuer=Shop`;
  const command = JSON.stringify({ command: [vault('cat "$1"'), join(folder, 'entry')] });
  const now = vi.fn(() => 59_000);
  const secrets = secretsIn(`CODE@a.test=${address}\nPASS=${command}\nKEPT@a.test=${command}\n`, now);
  const redactor = createRedactor({ enabled: false, secrets: secrets.known, learned: secrets.learned });
  expect(redactor.text(`${address} ${KEY} jbsw y3dp ehpk 3pxp`)).toBe(
    Array(3).fill('«redacted:secret-CODE»').join(' '),
  );
  expect(secrets.names).toEqual(['CODE', 'PASS', 'KEPT']);
  expect(secrets.resolve('secret:CODE')).toEqual({ value: null, sites: ['a.test'] });
  writeFileSync(join(folder, 'entry'), 'correct horse\nuser: ada\n');
  const { key, end } = secrets.lend('secret:PASS');
  expect(redactor.text('correct horse')).toBe('correct horse');
  expect(await secrets.take(key)).toBe('correct horse');
  expect(redactor.text('a correct horse')).toBe('a «redacted:secret-PASS»');
  end();
  await expect(secrets.take(key)).rejects.toMatchObject({ code: 'secret_not_found' });
  const code = await secrets.read('secret:CODE');
  expect(code).toBe(codeAt(parseTotp(address, refuse), 59_000));
  expect(redactor.text(`code=${code}, ${code.slice(0, 3)} ${code.slice(3)}`)).toBe(
    'code=«redacted:secret-CODE», «redacted:secret-CODE»',
  );
  writeFileSync(join(folder, 'entry'), `${address}\n`);
  expect(await secrets.read('secret:KEPT')).toBe(code);
  writeFileSync(join(folder, 'entry'), 'abc\n');
  await expect(secrets.read('secret:PASS')).rejects.toMatchObject({
    code: 'secret_unavailable',
    message:
      'secret:PASS: what its command printed cannot be used: it has 3 characters, and 4 to 4096 are possible.',
  });
});

it('a value that is learnt while a text streams is redacted in the rest', async () => {
  const secrets = secretsIn(`PASS=${JSON.stringify({ command: [vault('echo correct-horse')] })}`);
  const redactor = createRedactor({ enabled: false, secrets: secrets.known, learned: secrets.learned });
  const chunks = async function* () {
    yield 'before ';
    await secrets.read('secret:PASS');
    yield 'correct-horse after';
  };
  const { payload } = await redactor.payload({ kind: 'text', mimeType: 'text/plain', chunks: chunks() });
  if (payload.kind !== 'text') throw new Error('A text payload stays text.');
  let out = '';
  for await (const piece of payload.chunks) out += piece;
  expect(out).toBe('before «redacted:secret-PASS» after');
});

it('names of files are redacted from the moment that they are hidden, but for the shortest', async () => {
  const secrets = readSecrets(undefined);
  const redactor = createRedactor({ enabled: false, secrets: secrets.known, learned: secrets.learned });
  const text = 'salary-2026.pdf and cv';
  expect(redactor.text(text)).toBe(text);
  expect(redactor.hasKnownSecrets).toBe(false);
  secrets.hide(['salary-2026.pdf', 'cv']);
  expect(redactor.hasKnownSecrets).toBe(true);
  expect(redactor.text(text)).toBe('«redacted:secret-file» and cv');
  expect(redactor.value({ 'salary-2026.pdf': 1 })).toEqual({ '«redacted:secret-file»': 1 });
});
