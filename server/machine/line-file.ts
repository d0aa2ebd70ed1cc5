import type { FileHandle } from 'node:fs/promises';
import { openRegular } from './regular-file.ts';

const NEW_LINE = 0x0a;

/** A file of lines that is open for appending; several processes may append to it at once. */
export class LineFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Makes the file, 0600, when it is not there. */
  static async open(path: string): Promise<LineFile> {
    // Read as well, to see whether the last line is whole.
    return new LineFile(path, await openRegular(path, 'a+'));
  }

  /**
   * Appends whole lines, each with its break, in one write, so that those of several processes never
   * mix. A torn last line, left by a crash or a full disk, is ended first: only it is lost.
   *
   * @throws what the disk refuses, also when it took only a part
   */
  async append(lines: Uint8Array): Promise<void> {
    const { size } = await this.#handle.stat();
    const bytes = (await this.#isTorn(size)) ? Buffer.concat([Buffer.of(NEW_LINE), lines]) : lines;
    const { bytesWritten } = await this.#handle.write(bytes);
    if (bytesWritten !== bytes.length)
      throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes could be written to ${this.#path}.`);
  }

  async #isTorn(sizeBytes: number): Promise<boolean> {
    if (sizeBytes === 0) return false;
    const { buffer } = await this.#handle.read(Buffer.alloc(1), 0, 1, sizeBytes - 1);
    return buffer[0] !== NEW_LINE;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
