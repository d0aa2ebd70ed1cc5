import { randomUUID } from 'node:crypto';
import { link, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { csvLine, recordLine } from '../../shared/base/csv.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { isObject, type JsonObject } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import { errnoOf } from '../core/machine/errno.ts';
import { isWithin, openRegular, syncFolder } from '../core/machine/files.ts';
import { unfit, wrongKind } from '../core/output/format.ts';
import { itemBatches, withOutput, type OutputSource, type StoredOutput } from '../core/output/reader.ts';

const PART_BYTES = 1024 * 1024;

export type OutputSaves = ReturnType<typeof createOutputSaves>;

interface SaveAs {
  /** Below the root, or absolute and below it. */
  readonly name: string;
  readonly overwrite: boolean;
}

/**
 * Writes stored outputs only to the folder of `--download-root`, and downloads also to one that a person names.
 * @param root absolute; without one only a person's folder takes files
 */
export function createOutputSaves(store: OutputSource, root: string | undefined) {
  return {
    hasRoot: root !== undefined,
    /**
     * @throws `save_refused` that names the file and says why, `output_handle_not_found`, `invalid_format_for_payload`
     */
    async save({ handle, name, overwrite }: SaveAs & { readonly handle: string }, signal: AbortSignal) {
      const there = await place(name, root);
      return await withOutput(store, handle, (output) =>
        saveWhole({ ...there, name, overwrite }, (file) => write(output, file, there.path, signal)),
      );
    },
    /** Writes a downloaded file unchanged. @param named as a person wrote it @throws `save_refused` */
    async write(bytes: AsyncIterable<Uint8Array>, { name, overwrite }: SaveAs, named?: string) {
      const there = await (named === undefined
        ? place(name, root)
        : place(name, named.replace(/^~(?=$|[/\\])/, homedir()), 'the folder that the person named'));
      return await saveWhole({ ...there, name, overwrite }, async (file) => {
        let sizeBytes = 0;
        for await (const chunk of bytes) sizeBytes += await append(file, chunk);
        return { sizeBytes };
      });
    },
    /** A file below the root. @throws `save_refused`, also for a larger one */
    async read(name: string, maxBytes: number): Promise<Buffer> {
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

/**
 * Opens a downloaded file, until its bytes have been read or `close` is called; `start` is its beginning.
 * @throws `download_refused` for a link, a file of another size, and a program
 */
async function openSaved(path: string, sizeBytes: number | null) {
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
    const bytes = file.createReadStream({ start: 0, highWaterMark: PART_BYTES });
    return { start, bytes, close: () => void bytes.destroy() };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

interface SavePath {
  readonly folder: string;
  readonly path: string;
}

/** Only its writer ever sees a half-written file. @throws SpillwayError `save_refused` */
async function saveWhole<Facts extends object>(
  { folder, path, name, overwrite }: SavePath & { readonly name: string; readonly overwrite: boolean },
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
  new SpillwayError('save_refused', `${name}: ${why}.`, { hint });

function toRefusal(thrown: unknown, name: string): unknown {
  if (thrown instanceof SpillwayError) return thrown;
  const errno = errnoOf(thrown);
  if (errno === 'EEXIST') return refusal(name, 'it exists', 'Pass another name, or overwrite: true.');
  return errno === undefined ? thrown : refusal(name, `it cannot be written (${errno})`);
}

/** The real folder of a file below the root, and the file. @throws SpillwayError `save_refused` */
async function place(
  name: string,
  root: string | undefined,
  what = 'the folder of --download-root',
): Promise<SavePath> {
  if (root === undefined)
    throw refusal(
      name,
      'no folder is open for files',
      'Ask the person to start the server with --download-root.',
    );
  const real = isAbsolute(root) ? await realpath(root).catch(() => null) : null;
  if (real === null) throw refusal(name, `${what} is missing`);
  const wanted = resolve(root, name);
  const folder = name.includes('\0') ? null : await realpath(dirname(wanted)).catch(() => null);
  // The same words whether a folder elsewhere exists or not.
  if (!isWithin(real, folder ?? dirname(wanted)) || /[\\/]$/.test(name) || wanted === root)
    throw refusal(name, `it is not a file below ${what}`);
  if (folder === null) throw refusal(name, 'its folder does not exist');
  return { folder, path: join(folder, basename(wanted)) };
}

interface SavedFacts {
  readonly sizeBytes: number;
  /** Null for what is not a table. */
  readonly records: number | null;
}

async function write(
  output: StoredOutput,
  file: FileHandle,
  path: string,
  signal: AbortSignal,
): Promise<SavedFacts> {
  const ending = extname(path).toLowerCase();
  const separator = ending === '.csv' ? ',' : ending === '.tsv' ? '\t' : null;
  const { kind, mime_type: type, size_bytes: size } = output.meta;
  if (separator !== null && kind === 'items') return writeTable(output, file, separator, signal);
  if (separator !== null && type === MIME.json)
    throw wrongKind(output.meta, 'not records', { hint: 'Save it with a name that ends in .json.' });
  for (let at = 0; at < size; at += PART_BYTES) {
    signal.throwIfAborted();
    await append(file, await output.read(at, Math.min(size, at + PART_BYTES)));
  }
  return { sizeBytes: size, records: null };
}

/** Unlike `write`, `writeFile` continues where a disk that fills took a part. */
async function append(file: FileHandle, bytes: Uint8Array): Promise<number> {
  await file.writeFile(bytes);
  return bytes.length;
}

/** Two passes: the first line has the names of all records. */
async function writeTable(
  output: StoredOutput,
  file: FileHandle,
  separator: ',' | '\t',
  signal: AbortSignal,
): Promise<SavedFacts> {
  const names = new Set<string>();
  for await (const records of recordsOf(output, signal))
    for (const record of records) for (const name of Object.keys(record)) names.add(name);
  const columns = [...names];
  let [sizeBytes, count] = [0, 0];
  const add = async (text: string): Promise<void> =>
    void (sizeBytes += await append(file, Buffer.from(text)));
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
      throw unfit(
        `Not all items of ${output.meta.handle} are records: see those from ${first} on.`,
        'Save it with a name that ends in .json.',
      );
    yield records;
  }
}
