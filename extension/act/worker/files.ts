import { onAbort } from '../../../shared/base/async.ts';
import type { MethodParams } from '../../../shared/core/bridge/methods.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Step } from '../../../shared/act/steps.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import type { FilePart } from '../page/protocol.ts';

/** A file from a server, in base64. */
interface Upload {
  readonly chunks: string[];
  size: number;
}

/** The outcome of a path: the file that was sent for it, or why it was refused. */
export type UploadFile = MethodParams<'act.run'>['files'][number];

/** Labels a file for agents: by its name if they have used it. The label of the first other file counts all others. */
function labelOf(one: UploadFile, files: readonly UploadFile[]): string {
  const isNamed = ({ asked, path, name }: UploadFile): boolean =>
    asked === undefined || path.split(/[/\\\n]/).includes(name);
  if (isNamed(one)) return one.name;
  const others = files.filter((other) => other.asked === one.asked && !isNamed(other));
  if (one !== others[0]) return '';
  return others.length === 1
    ? 'a file that the person chose'
    : `${others.length} files that the person chose`;
}

/** The names of an upload step's files for {@link Uploads.partOf}. */
export function filesOf(
  { steps, files }: Pick<MethodParams<'act.run'>, 'steps' | 'files'>,
  step: Step,
): readonly string[] {
  const chosen = files.filter(({ asked }) => asked === steps.indexOf(step));
  if (chosen.length > 0) return chosen.map(({ file }) => file ?? '');
  return [step.value ?? []].flat().map(String);
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
   * A part of one of a call's files.
   * @param name its path, which every server sends if it is absolute; of one that a person chose, as the server calls it
   * @throws SpillwayError `upload_refused`
   */
  partOf(files: readonly UploadFile[], name: string, part: number): FilePart {
    const given = files.find((one) => (one.asked === undefined ? one.path : one.file) === name);
    const refused = given === undefined ? 'it is not an absolute path' : given.refused;
    if (given === undefined || refused !== null)
      throw new SpillwayError('upload_refused', `${name}: ${refused}.`);
    const { file, mime } = given;
    const data = this.#files.get(file ?? '')?.chunks[part] ?? null;
    return { name: given.name, label: labelOf(given, files), mime, data };
  }
}
