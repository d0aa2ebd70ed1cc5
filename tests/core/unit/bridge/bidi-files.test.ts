import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { bidiFiles } from '../../../../server/core/bridge/bidi-files.ts';
import type { BidiSession } from '../../../../server/core/bridge/bidi.ts';
import { codeOf } from '../../../support/code-of.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spl-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const { signal } = new AbortController();

/** A session whose documents answer with a field or with none. */
async function served(field: object = { sharedId: 'field' }) {
  const sent: object[] = [];
  let hear = (_params: Record<string, unknown>): void => undefined;
  const bidi = {
    send: async (method: string, params: object) => {
      if (method === 'input.setFiles') sent.push(params);
      return { result: field };
    },
    subscribe: async (_event: string, listener: typeof hear) => void (hear = listener),
  } as unknown as BidiSession;
  const methods = await bidiFiles(bidi, folder, () => 'tab');
  const stage = (name: string, data: string) =>
    methods['input.stage']({ context: 'inner', file: 'f1', name, data: btoa(data) }, signal);
  const put = () => methods['input.files']({ context: 'inner', name: 'n', files: ['f1'] }, signal);
  return { sent, stage, put, close: () => hear({ context: 'tab' }) };
}

it('gives a field a private copy of a file in parts, which is removed with its tab', async () => {
  const { sent, stage, put, close } = await served();
  await stage('photo.txt', 'ab');
  await stage('photo.txt', 'c');
  await put();
  const [{ files } = { files: [] }] = sent as { files: string[] }[];
  const [path = ''] = files;
  expect(path.startsWith(join(folder, 'uploads'))).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('abc');
  close();
  await expect.poll(() => existsSync(path)).toBe(false);
});

it.each(['..', '.', '../up', '/etc/passwd', 'a/b', 'nul\0'])(
  'writes no file of the name %j',
  async (name) => {
    const { stage } = await served();
    expect(await codeOf(stage(name, 'x'))).toBe('upload_refused');
    expect(readdirSync(folder)).toEqual([]);
  },
);

it('says that a field which answers nothing is gone', async () => {
  const { sent, stage, put } = await served({});
  await stage('photo.txt', 'x');
  expect(await codeOf(put())).toBe('page_changed');
  expect(sent).toEqual([]);
});
