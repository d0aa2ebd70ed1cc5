import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Manifest } from '../../../server/tools/oc_evidence_bundle/manifest.ts';
import type { StdioServer } from '../../support/stdio-server.ts';

const run = promisify(execFile);
const SPILLWAY = resolve(import.meta.dirname, '../../../dist/index.js');

/** A bundle as a person has it: a file, and what `tar` makes of it. */
export interface Unpacked {
  readonly file: string;
  readonly names: readonly string[];
  readonly manifest: Manifest;
  read(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
  list(name: string): Promise<readonly Record<string, unknown>[]>;
}

/** Writes the bytes to a file, has the command check it and the system's `tar` unpack it. */
export async function unpack(bytes: Buffer): Promise<Unpacked> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'bundle.tar.gz');
  const inside = join(folder, 'inside');
  await writeFile(file, bytes);
  await run(process.execPath, [SPILLWAY, 'verify-bundle', file]);
  await run('mkdir', [inside]);
  await run('tar', ['-xzf', file, '-C', inside]);
  const read = (name: string): Promise<Buffer> => readFile(join(inside, name));
  const text = async (name: string): Promise<string> => (await read(name)).toString('utf8');
  return {
    file,
    names: await readdir(inside),
    manifest: JSON.parse(await text('manifest.json')) as Manifest,
    read,
    text,
    list: async (name) => JSON.parse(await text(name)) as Record<string, unknown>[],
  };
}

/** What the command says of the bytes of a bundle. @throws when it is not intact */
export async function verified(bytes: Buffer): Promise<{ readonly manifest: Manifest | null }> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'bundle.wacz');
  await writeFile(file, bytes);
  const { stdout } = await run(process.execPath, [SPILLWAY, 'verify-bundle', file, '--json']);
  return JSON.parse(stdout) as { manifest: Manifest | null };
}

/** All bytes of a handle, page by page. */
export async function fetchAll(server: StdioServer, handle: string): Promise<Buffer> {
  const pages: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = await server.call('oc_output_fetch', {
      output_handle: handle,
      offset,
      limit: 1_048_576,
      encoding: 'base64',
    });
    const { content, next_offset: next } = page.json<{ content: string; next_offset: number | null }>();
    pages.push(Buffer.from(content, 'base64'));
    offset = next;
  }
  return Buffer.concat(pages);
}

/** Width and height of a PNG: its first chunk is IHDR. */
export function pngSize(png: Buffer): { width: number; height: number } {
  if (png.toString('latin1', 1, 4) !== 'PNG' || png.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('It is not a PNG.');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
