import { onAbort } from '../../../shared/async.ts';
import type { MethodParams } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { base64Bytes } from '../../ports/base64.ts';
import type { FilePart } from '../../page/act/protocol.ts';

/** A file from a server, in base64. */
interface Upload {
  readonly chunks: string[];
  size: number;
}

/** The outcome of a path: the file that was sent for it, or why it was refused. */
type UploadFile = MethodParams<'act.run'>['files'][number];

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
   * A part of the file at a path of a call, which every server sends if it is absolute.
   * @throws SpillwayError `upload_refused`
   */
  partOf(files: readonly UploadFile[], path: string, part: number): FilePart {
    const given: Partial<UploadFile> = files.find((one) => one.path === path) ?? {};
    const { file, name = '', mime = '', refused = 'it is not an absolute path' } = given;
    if (refused !== null) throw new SpillwayError('upload_refused', `${path}: ${refused}.`);
    return { name, mime, data: this.#files.get(file ?? '')?.chunks[part] ?? null };
  }
}
