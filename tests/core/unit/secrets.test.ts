import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { readSecrets, secretsOf } from '../../../server/core/secrets.ts';
import { testFolder } from '../../support/test-folder.ts';

const folder = testFolder();

function write(content: string | Buffer, mode = 0o600): string {
  const path = join(folder, 'secrets.env');
  rmSync(path, { force: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const valuesOf = (content: string): Record<string, string> =>
  Object.fromEntries(readSecrets(write(content)).known.map(({ name, value }) => [name, value]));

function refusalOf(read: () => unknown): SpillwayError {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof SpillwayError) return thrown;
  }
  throw new Error('It was not refused.');
}

type Row = [content: string, line: number, problem: string];
const row = (content: string, problem: string): Row => [content, 1, problem];
const OTPAUTH = [
  ['hotp/a?secret=JBSWY3DPEHPK3PXP', 'it is not an otpauth://totp/ address'],
  ['totp/a?secret=hunter2218', 'its secret is not base32 of at least 8 characters'],
  ['totp/a?secret=JBSWY3DP&algorithm=MD5', 'its algorithm has to be SHA1, SHA256 or SHA512'],
  ['totp/a?secret=JBSWY3DP&digits=10', 'its digits are not 6, 7 or 8'],
  ['totp/a?secret=JBSWY3DP&period=0', 'its period is not 5 to 600 seconds'],
];
const COMMANDS = ['"op read hunter22"}', '[]}', '["./hunter22"]}', '["op"'].map(
  (rest) => `{"command": ${rest}`,
);
const FORM = '{"command": ["program", "argument"]}';

describe('a file of secrets', () => {
  it('is read as node --env-file reads it', () => {
    const lines = [
      '\ufeff# logins',
      'A=hunter22',
      ' export B = correct horse  # a comment',
      'C="p#ss word"',
      "D='single $x'",
      'E=`back"tick`',
      'F="first\nsecond line"',
      '',
      'G="a\\nb\\tc"\r',
      'LONG_1=a=b=c==',
    ];
    expect(valuesOf(lines.join('\n'))).toEqual({
      A: 'hunter22',
      B: 'correct horse',
      C: 'p#ss word',
      D: 'single $x',
      E: 'back"tick',
      F: 'first\nsecond line',
      G: 'a\nb\\tc',
      LONG_1: 'a=b=c==',
    });
  });

  it('may bind a value to sites', () => {
    const { known, resolve } = readSecrets(
      write('A@bank.example,*.shop.example:8443="hunter22"\nB=hunter33'),
    );
    expect(known.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(resolve('secret:A')).toEqual({
      value: 'hunter22',
      sites: ['bank.example', '*.shop.example:8443'],
    });
  });

  it.each<Row>([
    ['A=hunter22\nhunter33', 2, 'it is not NAME=value'],
    ['A=hunter22#x', 1, 'the value of A contains a #: put it in quotes'],
    ['A@bank.example,x/y=hunter22', 1, 'the sites of A hold "x/y"'],
    ['A="hunter22" hunter33', 1, 'there is text behind the quotes of A'],
    ['B=good1\nA="hunter22\nC=hunter33', 2, 'the quote of A is not closed'],
    ['A=hunter22\nA=hunter33', 2, 'A is there twice'],
    [
      'A=otpauth://totp/a?secret=JBSWY3DPEHPK3PXP',
      1,
      'the codes of A need their site, as in A@site.example=',
    ],
    ...OTPAUTH.map(([rest, why]) =>
      row(`A@a.test=otpauth://${rest}`, `the value of A cannot be used: ${why}`),
    ),
    ...COMMANDS.map((value) => row(`A=${value}`, `the command of A is not ${FORM}, with a path or a name`)),
    ['A=abc', 1, 'the value of A is shorter than 4 characters'],
    [`A=${'x'.repeat(4_097)}`, 1, 'the value of A is longer than 4096 characters'],
    [
      Array.from({ length: 257 }, (_, at) => `A${at}=hunter22`).join('\n'),
      257,
      'there are more than 256 values',
    ],
  ])('is refused at the line that is wrong, without a value: %j', (content, line, problem) => {
    const path = write(content);
    const { code, message } = refusalOf(() => readSecrets(path));
    expect(code).toBe('invalid_argument');
    expect(message).toBe(`--secrets: ${path}, line ${line}: ${problem}.`);
    expect(message).not.toMatch(/hunter/);
  });

  it('must be one, of text, not too large, and nobody else may read it', () => {
    const problem = (path: string): string => refusalOf(() => readSecrets(path)).message;
    expect(problem(folder)).toContain('is not a file');
    expect(problem(join(folder, 'none'))).toContain('cannot be read (ENOENT)');
    expect(problem(write(Buffer.from([65, 61, 0xff, 0xfe, 0xfd, 0xfc])))).toContain('is not UTF-8 text');
    expect(problem(write(`A=${'x'.repeat(300_000)}`))).toContain('is larger than');
    for (const mode of [0o640, 0o604, 0o660])
      expect(problem(write('A=hunter22', mode))).toContain('other users can read');
  });
});

describe('a value for a page', () => {
  const secrets = secretsOf([
    { name: 'PASS', value: 'hunter22' },
    { name: 'PIN', value: '4829' },
  ]);

  it('is a secret only where it names one', () => {
    expect(secrets.resolve('secret:PASS')).toEqual({ value: 'hunter22', sites: [] });
    for (const text of ['PASS', 'secret: PASS', 'Secret:PASS', 'my secret:PASS', 'secret:', 'secret:a b'])
      expect(secrets.resolve(text)).toEqual({ value: text, sites: null });
  });

  it.each([
    ['secret:pass', secrets, 'There is no secret "pass".', 'Pass secret:NAME. The names are PASS, PIN.'],
    ['secret:a.test', secrets, 'only letters, digits and _', 'The names are PASS, PIN.'],
    ['secret:PASS', readSecrets(undefined), 'There is no secret "PASS".', 'to start it with --secrets FILE'],
  ])('%s of a name that does not exist is refused with the names', (text, { resolve }, message, hint) => {
    const refused = refusalOf(() => resolve(text));
    expect(refused).toMatchObject({
      code: 'secret_not_found',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });
});
