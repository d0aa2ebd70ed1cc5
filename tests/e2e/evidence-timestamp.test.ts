import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { launched } from '../support/launched.ts';
import { createChain, pemOf, stampWith, startAuthority } from '../support/timestamp-authority.ts';
import { fetchAll } from './evidence/unpack.ts';

const run = promisify(execFile);
const SPILLWAY = resolve(import.meta.dirname, '../../dist/index.js');
const CHAIN = createChain();

const authority = await startAuthority(stampWith(CHAIN), afterAll);
const { site, server } = await launched(
  '--evidence-timestamp-url',
  authority.url.replace('//', '//mill:st0ne@'),
);

describe.each([
  ['tar.gz', 'application/gzip'],
  ['wacz', 'application/wacz'],
] as const)('a %s of a server with an authority', (format, mime) => {
  it('is time-stamped, and verified offline by the command', async () => {
    const { opened: tab } = (await server.call('tabs', { action: 'open' })).json<{ opened: string }>();
    await server.call('navigate', { tab, url: `${site.url}/evidence/` });
    const answer = await server.call('oc_evidence_bundle', {
      tab,
      format,
      include: ['screenshot', 'markdown'],
      output_mode: 'handle',
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.notes).toMatch(/Time stamp: \d{4}-/);
    const { output_handle: handle, mime_type: type } = answer.json<Record<string, string>>();
    expect(type).toBe(mime);

    const folder = await mkdtemp(join(tmpdir(), 'spillway-bundle-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [file, ca] = [join(folder, 'bundle'), join(folder, 'ca.pem')];
    await writeFile(file, await fetchAll(server, handle ?? ''));
    await writeFile(ca, pemOf(CHAIN.root));
    const { stdout } = await run(process.execPath, [
      SPILLWAY,
      'verify-bundle',
      file,
      '--timestamp-ca',
      ca,
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      timestamp: { authority: 'CN=Mill time', is_trusted: true },
    });
    expect(authority.asked.at(-1)?.headers.authorization).toMatch(/^Basic /);
  });
});

it('the password of the authority is neither logged nor journalled', async () => {
  const journal = await server.call('oc_journal', { action: 'recent' });
  expect(journal.text).toContain('oc_evidence_bundle');
  expect(`${journal.text}${server.said()}`).not.toContain('st0ne');
});
