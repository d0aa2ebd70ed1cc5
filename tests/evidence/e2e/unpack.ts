import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Manifest } from '../../../server/evidence/manifest.ts';
import { temporaryHome } from '../../support/home.ts';
import type { StdioServer } from '../../support/stdio-server.ts';

const run = promisify(execFile);
const SPILLWAY = resolve(import.meta.dirname, '../../../dist/index.js');

/** A bundle as a person gets it: a file and its contents. */
export interface Unpacked {
  readonly bytes: Buffer;
  readonly names: readonly string[];
  readonly manifest: Manifest;
  read(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
  list(name: string): Promise<readonly Record<string, unknown>[]>;
}

interface Verified {
  readonly folder: string;
  readonly file: string;
  readonly manifest: Manifest;
  readonly timestamp: { readonly authority: string; readonly is_trusted: boolean | null } | null;
}

/** @throws if it is not intact */
export async function verified(bytes: Buffer, timestampCa?: string): Promise<Verified> {
  const folder = await temporaryHome();
  const [file, ca] = [join(folder, 'bundle'), join(folder, 'ca.pem')];
  await writeFile(file, bytes);
  if (timestampCa !== undefined) await writeFile(ca, timestampCa);
  const more = timestampCa === undefined ? [] : ['--timestamp-ca', ca];
  const { stdout } = await run(process.execPath, [SPILLWAY, 'verify-bundle', file, ...more, '--json']);
  return { folder, file, ...(JSON.parse(stdout) as Pick<Verified, 'manifest' | 'timestamp'>) };
}

/** Has the command check the bytes, and reads the evidence in them. */
export async function unpack(bytes: Buffer): Promise<Unpacked> {
  const { manifest } = await verified(bytes);
  const inside = Object.entries(unzipSync(bytes)).flatMap(([path, content]) =>
    path.startsWith('evidence/') ? [[path.slice('evidence/'.length), Buffer.from(content)] as const] : [],
  );
  const files = new Map(inside);
  const read = async (name: string): Promise<Buffer> => files.get(name) ?? Buffer.alloc(0);
  const text = async (name: string): Promise<string> => (await read(name)).toString('utf8');
  return {
    bytes,
    names: [...files.keys()],
    manifest,
    read,
    text,
    list: async (name) => JSON.parse(await text(name)) as Record<string, unknown>[],
  };
}

export async function fetchAll(server: StdioServer, handle: string): Promise<Buffer> {
  const pages: Buffer[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = await server.call('oc_output_fetch', {
      output_handle: handle,
      offset,
      limit: 8_388_608,
      format: 'bytes',
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
