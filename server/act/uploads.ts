import type { Stats } from 'node:fs';
import { mkdir, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, join, extname } from 'node:path';
import { onAbort } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { Logger, Scratch, ScratchFolder, StagedFile, Uploads, UploadSession } from '../core/services.ts';
import { errnoOf } from '../core/machine/errno.ts';
import { isWithin, openRegular } from '../core/machine/files.ts';
import { MIME, type MimeType } from '../../shared/base/mime.ts';

const NAMES =
  'avif bmp css csv doc docx epub gif html jpeg json mp3 mp4 odp ods odt pdf png ppt pptx rtf svg tar tiff tsv wasm wav webm webp xls xlsx xml zip';
/** Types that browsers derive from a file's name; for others they send none. */
const BY_EXTENSION: ReadonlyMap<string, MimeType> = new Map([
  ...Object.entries(MIME).filter(([name]) => NAMES.split(' ').includes(name)),
  ...([
    ['gz', MIME.gzip],
    ['htm', MIME.html],
    ['ics', MIME.calendar],
    ['jpg', MIME.jpeg],
    ['js', MIME.javascript],
    ['md', MIME.markdown],
    ['mjs', MIME.javascript],
    ['tif', MIME.tiff],
    ['txt', MIME.text],
    ['vcf', MIME.vcard],
  ] as const),
]);

/** A file's content type by its name; '' if unknown, as in browsers. */
const mimeTypeOf = (name: string): string => BY_EXTENSION.get(extname(name).slice(1).toLowerCase()) ?? '';

const COPY_BYTES = 256 * 1_024;

/**
 * Copies files for a page, only from the folders of `--upload-root`.
 * @param roots absolute; without one nothing is uploaded
 */
export function createUploads(roots: readonly string[], scratch: Scratch, logger: Logger): Uploads {
  const folders = new Map<string, Promise<ScratchFolder>>();
  let count = 0;

  const folderOf = ({ id, signal }: UploadSession): Promise<ScratchFolder> => {
    const known = folders.get(id);
    if (known !== undefined) return known;
    const made = scratch.folder();
    folders.set(id, made);
    made.catch(() => folders.delete(id));
    onAbort(signal, () => {
      folders.delete(id);
      made
        .then((folder) => folder.remove())
        .catch((err: unknown) => logger.warn({ err }, 'copies of uploads were not removed'));
    });
    return made;
  };

  const stageOne = async (path: string, session: UploadSession, room: number): Promise<StagedFile> => {
    const source = await openAllowed(path, roots);
    try {
      const folder = await folderOf(session);
      count += 1;
      // A separate folder preserves the name, which the page sees.
      const target = join(folder.path, String(count));
      await mkdir(target, { mode: 0o700 });
      const name = basename(path);
      const copy = join(target, name);
      const size = await copyTo(source, copy, path, room);
      return { source: path, path: copy, name, size, mime: mimeTypeOf(name) };
    } finally {
      await source.close();
    }
  };

  return {
    async cover(path) {
      const named = isAbsolute(path) && !path.includes('\0') ? await placeOf(path, roots) : null;
      return named?.isCovered === true;
    },
    async stage(paths, session) {
      if (paths.length > LIMITS.uploadFiles)
        throw refusal(`${paths.length} files`, `at most ${LIMITS.uploadFiles} go at once`);
      const staged: StagedFile[] = [];
      let room: number = LIMITS.uploadBytes;
      for (const path of paths) {
        session.signal.throwIfAborted();
        const file = await stageOne(path, session, room);
        room -= file.size;
        staged.push(file);
      }
      return staged;
    },
  };
}

const refusal = (what: string, why: string, hint?: string): SpillwayError =>
  new SpillwayError('upload_refused', `${what}: ${why}.`, { hint });

/**
 * Opens a file whose real path is below the real path of a root. A hard link counts as a file of its own
 * folder.
 * @throws SpillwayError `upload_refused`, in the same words whether a file elsewhere exists or not
 */
async function openAllowed(path: string, roots: readonly string[]): Promise<FileHandle> {
  if (roots.length === 0)
    throw refusal(
      path,
      'no folder is open for uploads',
      'Use the step upload e5, for which the person chooses the file, or ask them for --upload-root.',
    );
  if (!isAbsolute(path) || path.includes('\0')) throw refusal(path, 'it is not an absolute path');
  const { real, folders, isCovered } = await placeOf(path, roots);
  if (!isCovered) throw refusal(path, 'it is not below a folder of --upload-root');
  if (real === null) throw refusal(path, 'it does not exist');
  const file = await openRegular(real).catch((thrown: unknown) => {
    const errno = errnoOf(thrown) ?? 'unknown error';
    throw refusal(path, errno === 'EINVAL' ? 'it is not a regular file' : `it cannot be read (${errno})`);
  });
  try {
    await expectSame(path, await file.stat(), folders);
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Resolves a path: the real one, or null if the file does not exist, and whether a root covers it. */
async function placeOf(path: string, roots: readonly string[]) {
  const real = await realpath(path).catch(() => null);
  const folders = await realRoots(roots);
  const isCovered = [...folders, ...(real === null ? roots : [])].some((folder) =>
    isWithin(folder, real ?? path),
  );
  return { real, folders, isCovered };
}

async function realRoots(roots: readonly string[]): Promise<string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return found.filter((root) => root !== null);
}

/** A folder on the way may have been replaced by a link between the check and the opening. */
async function expectSame(path: string, stats: Stats, folders: readonly string[]): Promise<void> {
  const real = await realpath(path).catch(() => null);
  const now = real === null ? null : await stat(real).catch(() => null);
  const isSame = now !== null && now.ino === stats.ino && now.dev === stats.dev;
  if (real === null || !isSame || !folders.some((folder) => isWithin(folder, real)))
    throw refusal(path, 'it was replaced while it was opened');
}

/** The page gets the copy, not the source, so its size is the one that was counted. */
async function copyTo(source: FileHandle, target: string, path: string, room: number): Promise<number> {
  const copy = await open(target, 'wx', 0o600);
  try {
    const chunk = Buffer.alloc(COPY_BYTES);
    let size = 0;
    for (;;) {
      const { bytesRead } = await source.read(chunk, 0, COPY_BYTES, size);
      if (bytesRead === 0) return size;
      size += bytesRead;
      if (size > room)
        throw refusal(path, `uploads of one call are larger than ${LIMITS.uploadBytes} bytes together`);
      await copy.write(chunk, 0, bytesRead);
    }
  } finally {
    await copy.close();
  }
}
