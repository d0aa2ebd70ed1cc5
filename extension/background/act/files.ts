import { delay, onAbort } from '../../../shared/async.ts';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { base64Bytes } from '../../ports/base64.ts';
import type { ActPage, Held } from './act-page.ts';
import type { Acting } from './acting.ts';
import { click } from './step-in-page.ts';

/** How long a chooser may take to open. */
const CHOOSER_MS = 1_500;
/** The same while requests are pending: the page may first ask its server where files go. */
const MAX_MS = 5_000;
const LOOK_MS = 30;

/**
 * Gives files to a file field, to a drop target, or to the chooser that an element opens.
 * @throws SpillwayError `target_unsuitable`, and as `click`
 */
export async function giveFiles(acting: Acting, held: Held, paths: readonly string[]): Promise<string> {
  const { page, facts } = held;
  const { way } = await page.ask({ do: 'files_way', held: facts.held }, acting.signal);
  if (way === 'field' || way === 'drop') return acting.putFiles(held, paths);
  const field = await openChooser(acting, held);
  if (field !== null) return acting.putFiles(field, paths);
  if (way === 'press or drop') return acting.putFiles(held, paths);
  throw new SpillwayError(
    'target_unsuitable',
    `${facts.line} takes no files, and opened no file chooser when it was clicked.`,
  );
}

/** Presses an element, and returns the file field of the chooser that it opens. */
async function openChooser(acting: Acting, held: Held): Promise<Held | null> {
  const { choosers, frames, traffic, signal } = acting;
  const { line } = held.facts;
  if (choosers === null) throw withoutDebugger(`${line} opens a file chooser. Giving it files`);
  choosers.take();
  await click(acting, held);
  const pressedAt = performance.now();
  for (let until = pressedAt + CHOOSER_MS; !choosers.hasOpened;) {
    const now = performance.now();
    if (traffic.pending.length > 0) until = Math.min(now + CHOOSER_MS, pressedAt + MAX_MS);
    if (now >= until) break;
    await delay(LOOK_MS, signal);
  }
  const chooser = choosers.take();
  if (chooser === null) return null;
  if (chooser.node === null)
    throw new SpillwayError(
      'target_unsuitable',
      `${line} asks for files in a way that only a person can answer (showOpenFilePicker).`,
    );
  const field = await choosers.fieldOf(chooser, frames, signal);
  if (field !== null) return field;
  throw new SpillwayError('stale_ref', `${line} opened a file chooser whose file field is gone.`);
}

/** A file from a server, in base64. */
interface Upload {
  readonly chunks: string[];
  size: number;
}

/** The outcome of a path: the file that was sent for it, or why it was refused. */
type UploadFile = MethodParams<'act.run'>['files'][number];

interface GiveOptions {
  readonly files: readonly UploadFile[];
  readonly acting: Pick<Acting, 'gate'>;
  readonly signal: AbortSignal;
}

/** Files that one server has sent for pages: kept until the act that uses them ends, or its channel closes. */
export class Uploads {
  readonly #files = new Map<string, Upload>();
  #bytes = 0;

  constructor(closed: AbortSignal) {
    onAbort(closed, () => this.#files.clear());
  }

  /** Takes the next part of a file, which begins again at 0. @throws SpillwayError `upload_refused`, `invalid_argument` */
  take({ file, offset, data }: MethodParams<'act.stage'>): { readonly received: number } {
    if (offset === 0) this.#drop(file);
    const known = this.#files.get(file) ?? { chunks: [], size: 0 };
    if (offset !== known.size)
      throw new SpillwayError('invalid_argument', `act.stage: ${file} continues at ${known.size}.`);
    const bytes = base64Bytes(data);
    if (bytes === 0) return { received: known.size };
    if (this.#bytes + bytes > LIMITS.uploadBytes)
      throw new SpillwayError(
        'upload_refused',
        `Waiting uploads already take the limit of ${LIMITS.uploadBytes} bytes.`,
      );
    this.#bytes += bytes;
    known.chunks.push(data);
    known.size += bytes;
    this.#files.set(file, known);
    return { received: known.size };
  }

  /** Drops files that were used, or that their act did not reach. */
  drop(files: readonly UploadFile[]): void {
    for (const { file } of files) if (file !== null) this.#drop(file);
  }

  #drop(file: string): void {
    this.#bytes -= this.#files.get(file)?.size ?? 0;
    this.#files.delete(file);
  }

  /**
   * Puts files into a field, or drops them on an element.
   * @param paths as the call names them
   * @throws SpillwayError `upload_refused`, and the page's error
   */
  async give(
    {
      page,
      facts,
    }: { readonly page: Pick<ActPage, 'ask' | 'change'>; readonly facts: Pick<Held['facts'], 'held'> },
    paths: readonly string[],
    { files, acting, signal }: GiveOptions,
  ): Promise<string> {
    const parts = paths.map((path) => {
      // A server sends every absolute path.
      const given: Partial<UploadFile> = files.find((one) => one.path === path) ?? {};
      const { file, name = '', mime = '', refused = 'it is not an absolute path' } = given;
      if (refused !== null) throw new SpillwayError('upload_refused', `${path}: ${refused}.`);
      return { file: file ?? '', name, mime };
    });
    try {
      for (const { file } of parts)
        for (const data of this.#files.get(file)?.chunks ?? [])
          await page.ask({ do: 'stage', file, data }, signal);
      acting.gate.hasBegun = true;
      const { names, isFolder } = await page.change({ do: 'files', held: facts.held, files: parts }, signal);
      const noPaths =
        isFolder && names.length > 0 ? ', without paths: only a person can choose a folder' : '';
      return `has ${names.join(', ') || 'no file'}${noPaths}`;
    } catch (thrown) {
      const { signal: never } = new AbortController();
      for (const { file } of parts) page.ask({ do: 'stage', file, data: '' }, never).catch(() => undefined);
      throw thrown;
    }
  }
}
