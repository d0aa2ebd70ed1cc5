import { mkdirSync, writeFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { codeAt, parseTotp } from '../../../server/core/secrets/totp.ts';
import { servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';
import { filesBelow, readIfThere } from '../../support/planted-secrets.ts';
import { PATIENCE } from '../../support/patience.ts';
import { secretsFolder } from '../../support/test-folder.ts';

/* What a person entrusts to an act: passwords and files. */
const PASSWORD = 'plain-horse_word/2 "x"';
const LARGE = Buffer.alloc(700_001, 'aé');

const PAGES: Readonly<Record<string, string>> = {
  login: `<title>Log in</title><label>Name <input id="name"></label>
    <label>Password <input id="password" type="password"></label>
    <label>Card <input id="card" autocomplete="cc-number"></label>
    <label>Note <input id="note"></label>
    <button onclick="document.title = 'sent'; fetch('/sent', { method: 'POST', body: JSON.stringify(
      ['name', 'password', 'card', 'note'].map((id) => document.getElementById(id).value)) })">Send</button>`,
  upload: `<title>Upload</title><label>CV <input type="file" id="one"></label>
    <label>Photos <input type="file" id="many" multiple hidden></label>
    <label>Path <input id="path"></label>
    <div id="zone" role="button" tabindex="0">Drop here</div><output></output>
    <script>
      const tell = async (files) => {
        const hash = async (file) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))]
          .map((byte) => byte.toString(16).padStart(2, '0')).join('');
        const all = await Promise.all([...files].map(async (file) => [file.name, file.type, file.size, await hash(file)]));
        await fetch('/sent', { method: 'POST', body: JSON.stringify(all) });
      };
      for (const id of ['one', 'many']) document.getElementById(id).onchange = (event) => tell(event.target.files);
      zone.ondragover = (event) => event.preventDefault();
      zone.ondrop = (event) => { event.preventDefault(); tell(event.dataTransfer.files); };
    </script>`,
};

const sent: unknown[] = [];
const site = await servePages(PAGES, {
  '/sent': (response, request) =>
    void textOf(request).then((text) => {
      sent.push(JSON.parse(text));
      response.end();
    }),
});

const PRINTED = 'vault-horse-battery';
const KEY = 'JBSWY3DPEHPK3PXP';
const printing = (script: string): string => JSON.stringify({ command: ['/bin/sh', '-c', script] });
const { folder, secrets } = secretsFolder(`PASS='${PASSWORD}'\nHERE@127.0.0.1='${PASSWORD}'
VAULT=${printing(`echo ${PRINTED}`)}\nCODE@127.0.0.1=otpauth://totp/a?secret=${KEY}
LOCKED=${printing(`echo ${PRINTED}; exit 1`)}\n`);
const root = join(folder, 'root');
mkdirSync(root);
writeFileSync(join(root, 'cv é.pdf'), '%PDF-1.7 cv');
writeFileSync(join(root, 'large.bin'), LARGE);
writeFileSync(join(root, 'empty.txt'), '');
const { server } = await launched('--secrets', secrets, '--upload-root', root);

const nextSent = async (): Promise<unknown> => {
  await vi.waitFor(() => expect(sent).not.toEqual([]), PATIENCE);
  return sent.shift();
};

async function act(args: Record<string, unknown>) {
  const answer = await server.call('interact', args);
  return { text: answer.text, code: answer.isError ? answer.code() : null };
}

it('a password field takes a secret, which the page gets and nobody else sees', async () => {
  await server.call('navigate', { url: site.url('/login') });
  const { text, code } = await act({
    fields: { Name: 'Ada', Password: 'secret:PASS', Card: '4111', Note: 'secret:HERE' },
    steps: ['click role=button[name="Send"]'],
  });
  expect(code, text).toBeNull();
  expect(await nextSent()).toEqual(['Ada', PASSWORD, '4111', PASSWORD]);
  const read = await server.call('read_page', { format: 'snapshot' });
  expect(read.text).toContain('textbox [filled] Note');
  const journal = await server.call('oc_journal', { action: 'recent', count: 100 });
  for (const said of [text, read.text, journal.text, server.said()])
    expect(said).not.toContain('plain-horse');
  for (const path of filesBelow(server.home)) expect(String(readIfThere(path))).not.toContain('plain-horse');
});

it('a vault and an authenticator give a secret as it is typed, which nobody else sees, or say why not', async () => {
  await server.call('navigate', { url: site.url('/login') });
  const before = Date.now();
  const { text, code } = await act({
    fields: { Password: 'secret:VAULT' },
    steps: ['fill role=textbox[name="Note"] secret:CODE', 'click role=button[name="Send"]'],
  });
  expect(code, text).toBeNull();
  const [, password, , note] = (await nextSent()) as string[];
  expect(password).toBe(PRINTED);
  const totp = parseTotp(`otpauth://totp/a?secret=${KEY}`, Error);
  expect([before, Date.now()].map((at) => codeAt(totp, at))).toContain(note);
  await server.call('navigate', { url: site.url('/login') });
  const locked = await act({ fields: { Name: 'Ada', Password: 'secret:LOCKED' } });
  expect(locked).toMatchObject({ code: 'secret_unavailable' });
  expect(locked.text).toContain('ended with code 1');
  const shown = await server.call('evaluate', { code: 'document.getElementById("password").value.length' });
  expect(shown.text).toBe('0');
  const journal = await server.call('oc_journal', { action: 'recent', count: 100 });
  for (const said of [text, locked.text, journal.text, server.said()])
    for (const hidden of [PRINTED, KEY, String(note)]) expect(said).not.toContain(hidden);
});

describe('an upload', () => {
  const hash = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
    Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const cv = (): string => join(root, 'cv é.pdf');

  it.each<[string, () => Record<string, unknown>]>([
    ['a step', () => ({ steps: [`upload label=CV ${cv()}`] })],
    // A text field gets a path as its text.
    ['a field', () => ({ fields: { CV: cv(), Path: '/etc/passwd' } })],
    ['a drop', () => ({ steps: [`upload css=#zone ${cv()}`] })],
  ])('gives the page a file by %s', async (_how, args) => {
    await server.call('navigate', { url: site.url('/upload') });
    const { text, code } = await act(args());
    expect(code, text).toBeNull();
    expect(await nextSent()).toEqual([
      ['cv é.pdf', 'application/pdf', 11, await hash(Buffer.from('%PDF-1.7 cv'))],
    ]);
  });

  it('gives several, of many parts and of none, to a hidden field', async () => {
    await server.call('navigate', { url: site.url('/upload') });
    const value = ['large.bin', 'empty.txt'].map((name) => join(root, name));
    const { text, code } = await act({ steps: [{ do: 'upload', target: 'css=#many', value }] });
    expect(code, text).toBeNull();
    expect(await nextSent()).toEqual([
      ['large.bin', '', LARGE.length, await hash(LARGE)],
      ['empty.txt', 'text/plain', 0, await hash(Buffer.alloc(0))],
    ]);
  });
});
