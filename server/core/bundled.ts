import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defer, withTimeout } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';

/**
 * A thread's program, by the build's name for it: next to the running program or above one of its chunks;
 * from source, in the build. @throws SpillwayError `internal_error` if the build lacks it
 */
export function findBundledProgram(name: string, from: string = import.meta.dirname): string {
  for (let at = from; ; at = dirname(at)) {
    for (const folder of [at, join(at, 'dist')])
      if (existsSync(join(folder, name))) return join(folder, name);
    if (dirname(at) === at)
      throw new SpillwayError('internal_error', `${name} is missing from the build.`, {
        hint: 'Rebuild with npm run build.',
      });
  }
}

/** Starts a thread by the build's name for its program. Its output is not a protocol frame, and goes nowhere. */
export const startThread = (name: string, workerData: unknown, options: WorkerOptions = {}): Worker =>
  new Worker(findBundledProgram(name), { workerData, stdout: true, stderr: true, ...options });

interface ThreadLimits<T> {
  readonly answer: z.ZodType<T>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly signal: AbortSignal;
}

/** Runs a thread and returns its answer. @throws Error the thread's failure, or the signal's reason */
export async function runThread<T>(name: string, order: unknown, limits: ThreadLimits<T>): Promise<T> {
  const { answer, timeoutMs, memoryMb, signal } = limits;
  const worker = startThread(name, order, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  try {
    const answered = defer<unknown>();
    worker.once('message', answered.resolve);
    worker.once('error', answered.reject);
    worker.once('exit', () => answered.reject(new Error('its thread ended')));
    const late = (): Error => new Error(`it takes longer than ${timeoutMs} ms`);
    return answer.parse(await withTimeout(answered.promise, timeoutMs, late, signal));
  } finally {
    await worker.terminate();
  }
}

/** The file of the build that holds Adobe's tables of character codes, which fonts of East Asia name. */
export const BUNDLED_CMAPS = 'pdf-cmaps.br';
/** The file of the build that holds the pages of widgets. */
export const BUNDLED_WIDGETS = 'widgets.br';

/** Where each file ends, by name; the files follow. */
const Directory = z.array(z.tuple([z.string(), z.int().min(0)]));

/** Packs the files of a folder that end with `ending` into one: what they share is in it once. */
export async function packFolder(folder: string, ending: string): Promise<Buffer> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  let end = 0;
  const directory = names.map((name, index) => [name, (end += files[index]?.length ?? 0)]);
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(directory)}\n`), ...files]);
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  return promisify(brotliCompress)(whole, { params });
}

/** The files of {@link packFolder} by name. */
export function unpackFolder(packed: Buffer): ReadonlyMap<string, Uint8Array> {
  const whole = brotliDecompressSync(packed);
  const start = whole.indexOf('\n') + 1;
  let from = start;
  const files = new Map<string, Uint8Array>();
  for (const [name, end] of Directory.parse(JSON.parse(whole.toString('utf8', 0, start)))) {
    files.set(name, whole.subarray(from, start + end));
    from = start + end;
  }
  return files;
}
