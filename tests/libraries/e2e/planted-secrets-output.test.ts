import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { hostManifestText, MANIFEST_FILE, launcherText } from '../../../server/core/bridge/launcher.ts';
import { plantSecrets, SecretScanner } from '../../support/planted-secrets.ts';
import { startServer } from '../../support/stdio-server.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

/*
 * The output of our processes: the most verbose log, refused flags, crashes, the native host and the doctor. Each gets
 * secrets of many shapes and may print none of them.
 */
const DIST = resolve(import.meta.dirname, '../../../dist');
const SERVER = join(DIST, 'index.js');
const HOST = join(DIST, 'host.js');
const CALLER = `chrome-extension://${EXTENSION_ID}/`;

/** One secret of every recognisable shape, and one that only its name gives away. */
const planted = plantSecrets().filter(
  ({ place, name }) =>
    (place === 'text' && /^k\d+$/.test(name)) || (place === 'query' && name === 'access_token'),
);
const scanner = new SecretScanner(planted);
const texts = planted.map(({ name, value }) => (name === 'access_token' ? `access_token=${value}` : value));
/** Quotable in a shell, a script and a path. */
const words = texts.filter((text) => /^[\w=.,:@+-]+$/.test(text));
const all = words.join(' ');
const folder = testFolder();

type Printed = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Printed> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PLANTED: all, SPILLWAY_HOME: join(folder, 'home'), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const code = await new Promise<number | null>((fulfil) => child.once('close', fulfil));
  return { code, stdout, stderr };
}

/** A preloaded program that fails once ours runs. A stack names its text, so the secret is not in it. */
const preload = (statement: string): readonly string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`const poll = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(poll);
    ${statement};
  }, 5)`)}`,
];

function expectClean({ stdout, stderr }: Printed): void {
  expect(scanner.scanText(stderr), stderr).toEqual([]);
  expect(scanner.scanText(stdout), stdout).toEqual([]);
}

it('there are many shapes, and the scanner knows each', () => {
  expect(words.length).toBeGreaterThan(20);
  for (const text of words) expect(scanner.scanText(`x ${text} y`)).not.toEqual([]);
});

it.each(
  sample(
    [
      ['a choice', 1, ['--mode', all]],
      ['an unknown flag with a value', 2, [`--token=${words.join(',')}`]],
      ['a list', 1, ['--tools', all]],
      ['a file of verify-bundle', 1, ['verify-bundle', join('/nowhere', words.join(','))]],
    ] as const,
    3,
  ),
)('flags that are refused %s', async (_, code, args) => {
  const printed = await run([SERVER, ...args]);
  expect(printed.code).toBe(code);
  expect(printed.stderr).toContain('«redacted:');
  expectClean(printed);
});

const CRASHES: readonly (readonly [string, string])[] = [
  ['an uncaught error with a cause', "throw new Error('outer', { cause: new Error(process.env.PLANTED) })"],
  ['an uncaught value', 'throw process.env.PLANTED'],
  ['an unhandled rejection', 'Promise.reject(new Error(process.env.PLANTED))'],
];

it.each(sample(CRASHES, 3))('crashes %s of the server', async (name, statement) => {
  const printed = await run([...preload(statement), SERVER, '--log-level', 'debug']);
  expect(printed.code).toBe(1);
  expect(printed.stderr).toContain(name.endsWith('cause') ? 'outer' : '«redacted:');
  expectClean(printed);
});

it.each(sample(CRASHES, 3))('crashes %s of the native host', async (name, statement) => {
  const directory = join(folder, `run-${name.replaceAll(' ', '-')}`);
  mkdirSync(directory, { mode: 0o700 });
  const printed = await run([...preload(statement), HOST, CALLER], { SPILLWAY_BRIDGE_DIR: directory });
  expect(printed.code).toBe(1);
  expect(printed.stderr).toContain(name.endsWith('cause') ? 'outer' : '«redacted:');
  expectClean(printed);
});

describe('a value of --secrets, which no rule takes for one', () => {
  const ordinary = 'the/horse&is "correct"';
  // Once it serves, it has read the file.
  const whenServing = (statement: string): string => `const wait = setInterval(() => {
    if (process.listenerCount('SIGTERM') === 0) return;
    clearInterval(wait);
    ${statement};
  }, 5)`;
  const file = (content: string): string => {
    const path = join(folder, 'secrets.env');
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };

  it.each(
    sample(
      [
        ['its JSON', 'throw new Error(`got ${JSON.stringify(process.env.ORDINARY)}.`)'],
        ['an address', 'throw new Error(`got ${encodeURIComponent(process.env.ORDINARY)}.`)'],
      ] as const,
      2,
    ),
  )('is not printed by a crash: %s', async (_, statement) => {
    const args = ['--secrets', file(`HORSE='${ordinary}'\n`)];
    const printed = await run([...preload(whenServing(statement)), SERVER, ...args], { ORDINARY: ordinary });
    expect(printed.code).toBe(1);
    expect(printed.stderr).toMatch(/got "?«redacted:secret-HORSE»/);
    expect(printed.stderr).not.toMatch(/horse(?:&|%26)is/);
  });

  it('is not printed where the file is refused', async () => {
    const printed = await run([SERVER, '--secrets', file(`HORSE=${ordinary}\n${ordinary}\n`)]);
    expect(printed.code).toBe(1);
    expect(printed.stderr).toContain('secrets.env, line 2: it is not NAME=value.');
    expect(printed.stderr).not.toContain('horse');
  });
});

/** The log reports an unwritable home, whose path contains secrets. */
async function logOf(...args: string[]): Promise<string> {
  const home = join(folder, ...words);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'journal'), 'A file where the journal wants a folder.');
  const server = await startServer({ args: ['--log-level', 'debug', ...args], home });
  try {
    for (const text of words) await server.call(text, {});
    await vi.waitFor(() => expect(server.said()).toContain('the journal cannot be written'), PATIENCE);
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
  return server.said();
}

it('the log of a server at debug shows the secrets without redaction: it is given them', async () => {
  const found = scanner.scanText(await logOf('--no-sanitize-content'));
  expect(found.length).toBe(words.length);
});

it('the log of a server at debug shows none', async () => {
  expect(scanner.scanText(await logOf())).toEqual([]);
});

/** A person's home with an installed browser, and a launcher that prints secrets. */
function createUser(name: string, launcher: string): Readonly<Record<string, string>> {
  const user = join(folder, name);
  const manifests = join(user, '.config', 'chromium', 'NativeMessagingHosts');
  const bin = join(user, 'bin');
  for (const path of [manifests, bin]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const program = join(user, 'spillway-host');
  writeFileSync(program, launcher, { mode: 0o700 });
  writeFileSync(join(bin, 'chromium'), '#!/bin/sh\necho Chromium 140.0.0.0\n');
  chmodSync(join(bin, 'chromium'), 0o700);
  writeFileSync(join(manifests, MANIFEST_FILE), hostManifestText(program), { mode: 0o600 });
  return { HOME: user, PATH: `${bin}:/usr/bin:/bin`, SPILLWAY_BRIDGE_DIR: join(user, 'run') };
}

const facts = { node: process.execPath, hostScript: HOST, bridgeDirectory: null, serverScript: null };
const users = {
  'a launcher that says secrets': () =>
    createUser(
      'talker',
      launcherText('linux', facts).replace('\nexec ', `\necho 'Error: ${all}' >&2\nexit 3\nexec `),
    ),
  'a path that holds secrets': () => createUser(words.slice(0, 4).join(','), 'no launcher'),
};

it.each(sample(Object.entries(users), 2))('doctor %s', async (_, create) => {
  const printed = await run([SERVER, 'doctor', '--browser', 'chromium', '--json'], create());
  expect(printed.code).toBe(1);
  expect(printed.stdout).toContain('«redacted:');
  expectClean(printed);
  expect(JSON.parse(printed.stdout)).toMatchObject({ ok: false });
});
