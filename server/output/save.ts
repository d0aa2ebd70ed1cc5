import { randomUUID } from 'node:crypto';
import { link, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { csvLine, recordLine } from '../../shared/csv.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import type { OutputSaves } from '../core/output.ts';
import { errnoOf } from '../machine/errno.ts';
import { openRegular } from '../machine/files.ts';
import { syncFolder } from '../machine/files.ts';
import { itemBatches, type StoredOutput } from './reader.ts';
import type { OutputStore } from './store.ts';

const PART_BYTES = 1024 * 1024;

const SEPARATORS = new Map([
  ['.csv', ','],
  ['.tsv', '\t'],
] as const);

interface SaveOptions {
  readonly store: Pick<OutputStore, 'open'>;
  /** `--download-root`: absolute. Without one nothing is saved. */
  readonly root: string | undefined;
}

/** Writes stored outputs only to the folder of `--download-root`. */
export function createOutputSaves({ store, root }: SaveOptions): OutputSaves {
  return {
    async save({ handle, name, overwrite }, signal) {
      const there = await place(name, root);
      const output = await store.open(handle);
      try {
        return await saveWhole({ ...there, name, overwrite }, (file) =>
          write(output, file, { path: there.path, signal }),
        );
      } finally {
        await output.close();
      }
    },
    async write(bytes, { name, overwrite }) {
      return await saveWhole({ ...(await place(name, root)), name, overwrite }, async (file) => {
        let sizeBytes = 0;
        for await (const chunk of bytes) sizeBytes += (await file.write(chunk)).bytesWritten;
        return { sizeBytes };
      });
    },
    async read(name, maxBytes) {
      const { path } = await place(name, root);
      const file = await openRegular(path).catch((thrown: unknown) => {
        throw refusal(name, `it cannot be read (${errnoOf(thrown) ?? 'unknown error'})`);
      });
      try {
        if ((await file.stat()).size > maxBytes) throw refusal(name, `it is larger than ${maxBytes} bytes`);
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    openSaved,
  };
}

/** Windows, ELF, Mach-O of either byte order, and scripts with an interpreter. */
const PROGRAM = /^(?:4d5a|7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe|2321)/;
const START_BYTES = 4_096;

/** @throws SpillwayError `download_refused` */
async function openSaved(path: string, sizeBytes: number | null): ReturnType<OutputSaves['openSaved']> {
  const refused = (why: string): SpillwayError =>
    new SpillwayError('download_refused', `${JSON.stringify(basename(path))}: ${why}.`);
  const file = await openRegular(path).catch((thrown: unknown) => {
    throw refused(`this server cannot read it (${errnoOf(thrown) ?? 'unknown error'})`);
  });
  try {
    const { size } = await file.stat();
    if (sizeBytes !== null && size !== sizeBytes) throw refused('it has changed since the browser saved it');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    const start = buffer.subarray(0, bytesRead);
    if (PROGRAM.test(start.toString('hex', 0, 4))) throw refused('it is a program');
    return { start, bytes: file.createReadStream({ start: 0, highWaterMark: PART_BYTES }) };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

interface Place {
  readonly folder: string;
  readonly path: string;
}

/** Only its writer ever sees a half-written file. @throws SpillwayError `save_refused` */
async function saveWhole<Facts extends object>(
  { folder, path, name, overwrite }: Place & { readonly name: string; readonly overwrite: boolean },
  fill: (file: FileHandle) => Promise<Facts>,
): Promise<Facts & { readonly path: string }> {
  const draft = join(folder, `.${randomUUID()}.part`);
  try {
    const file = await open(draft, 'wx', 0o600);
    let written;
    try {
      written = await fill(file);
      await file.datasync();
    } finally {
      await file.close();
    }
    // The folder may have become a link to another one meanwhile.
    if ((await realpath(draft)) !== draft) throw refusal(name, 'its folder was replaced');
    await (overwrite ? rename : link)(draft, path);
    await syncFolder(folder);
    return { path, ...written };
  } catch (thrown) {
    throw toRefusal(thrown, name);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

const refusal = (name: string, why: string, hint?: string): SpillwayError =>
  new SpillwayError('save_refused', `${name}: ${why}.`, hint === undefined ? {} : { hint });

function toRefusal(thrown: unknown, name: string): unknown {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown);
  if (errno === 'EEXIST') return refusal(name, 'it exists', 'Pass another name, or overwrite: true.');
  return errno === undefined ? thrown : refusal(name, `it cannot be written (${errno})`);
}

/** The real folder of a file below the root, and the file. @throws SpillwayError `save_refused` */
async function place(name: string, root: string | undefined): Promise<Place> {
  if (root === undefined)
    throw refusal(
      name,
      'no folder is open for files',
      'Ask the person to start the server with --download-root.',
    );
  const real = await realpath(root).catch(() => null);
  if (real === null) throw refusal(name, 'the folder of --download-root is missing');
  const wanted = resolve(root, name);
  const folder = name.includes('\0') ? null : await realpath(dirname(wanted)).catch(() => null);
  const way = relative(real, folder ?? dirname(wanted));
  // The same words whether a folder elsewhere exists or not.
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || /[\\/]$/.test(name) || wanted === root)
    throw refusal(name, 'it is not a file below the folder of --download-root');
  if (folder === null) throw refusal(name, 'its folder does not exist');
  return { folder, path: join(folder, basename(wanted)) };
}

async function write(
  output: StoredOutput,
  file: FileHandle,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<{ readonly sizeBytes: number; readonly records: number | null }> {
  const separator = [...SEPARATORS].find(([ending]) => ending === extname(path).toLowerCase())?.[1];
  if (separator !== undefined && output.meta.kind === 'items')
    return writeTable(output, file, { separator, signal });
  const { handle, kind, mime_type: type, size_bytes: size } = output.meta;
  if (separator !== undefined && kind === 'json')
    throw new SpillwayError('invalid_format_for_payload', `${handle} contains ${type}, not records.`, {
      hint: 'Save it with a name that ends in .json.',
    });
  for (let at = 0; at < size; at += PART_BYTES) {
    signal.throwIfAborted();
    await file.write(await output.read(at, Math.min(size, at + PART_BYTES)));
  }
  return { sizeBytes: size, records: null };
}

/** Two passes: the first line has the names of all records. */
async function writeTable(
  output: StoredOutput,
  file: FileHandle,
  { separator, signal }: { readonly separator: ',' | '\t'; readonly signal: AbortSignal },
): Promise<{ readonly sizeBytes: number; readonly records: number }> {
  const names = new Set<string>();
  for await (const records of recordsOf(output, signal))
    for (const record of records) for (const name of Object.keys(record)) names.add(name);
  const columns = [...names];
  let [sizeBytes, count] = [0, 0];
  const add = async (text: string): Promise<void> =>
    void (sizeBytes += (await file.write(Buffer.from(text))).bytesWritten);
  await add(csvLine(columns, separator));
  for await (const records of recordsOf(output, signal)) {
    await add(records.map((record) => recordLine(record, columns, separator)).join(''));
    count += records.length;
  }
  return { sizeBytes, records: count };
}

async function* recordsOf(output: StoredOutput, signal: AbortSignal): AsyncGenerator<JsonObject[]> {
  for await (const { first, items } of itemBatches(output, 0)) {
    signal.throwIfAborted();
    const records = items.filter(isObject);
    if (records.length < items.length)
      throw new SpillwayError(
        'invalid_format_for_payload',
        `Not all items of ${output.meta.handle} are records: see those from ${first} on.`,
        { hint: 'Save it with a name that ends in .json.' },
      );
    yield records;
  }
}
