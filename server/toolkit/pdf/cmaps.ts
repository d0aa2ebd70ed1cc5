import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';

/** The file of the build that holds Adobe's tables of character codes, which fonts of East Asia name. */
export const BUNDLED_CMAPS = 'pdf-cmaps.br';

/** Where each table ends, by name; the tables follow. */
const Directory = z.array(z.tuple([z.string(), z.int().min(0)]));

/** Packs a folder of `.bcmap` files into one: alone they are larger together than the library. */
export async function packCMaps(folder: string): Promise<Buffer> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bcmap')).sort();
  const tables = await Promise.all(names.map((name) => readFile(join(folder, name))));
  let end = 0;
  const directory = names.map((name, index) => [name, (end += tables[index]?.length ?? 0)]);
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(directory)}\n`), ...tables]);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return promisify(brotliCompress)(whole, { params });
}

/** The tables of {@link packCMaps} by name. */
export function unpackCMaps(packed: Buffer): ReadonlyMap<string, Uint8Array> {
  const whole = brotliDecompressSync(packed);
  const start = whole.indexOf('\n') + 1;
  let from = start;
  const tables = new Map<string, Uint8Array>();
  for (const [name, end] of Directory.parse(JSON.parse(whole.toString('utf8', 0, start)))) {
    tables.set(name, whole.subarray(from, start + end));
    from = start + end;
  }
  return tables;
}
