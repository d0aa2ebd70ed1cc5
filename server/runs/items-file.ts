import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular } from '../machine/regular-file.ts';
import type { CleanBytes } from '../redact/clean.ts';
import { type ItemRow, runCorrupt } from './records.ts';
import { refuse } from './run-error.ts';

const NAME = 'items.jsonl';

/**
 * Items of a run, one JSON value a line. What lies beyond the committed length is not there.
 * @throws `store_read_failed`, `store_write_failed`, `store_full` when the disk refuses
 */
export class ItemsFile {
  readonly #handle: FileHandle;
  readonly #runId: string;
  readonly #folder: string;

  private constructor(handle: FileHandle, { folder, runId }: { folder: string; runId: string }) {
    this.#handle = handle;
    this.#folder = folder;
    this.#runId = runId;
  }

  /** Makes the file when it is not there. */
  static async open(folder: string, runId: string): Promise<ItemsFile> {
    return new ItemsFile(await openRegular(join(folder, NAME), 'rw+'), { folder, runId });
  }

  /** Writes lines at the end of what is committed, and forces them to the disk. */
  append(lines: readonly CleanBytes[], position: number): Promise<void> {
    return this.#append(lines, position).catch(refuse(this.#folder));
  }

  async #append(lines: readonly CleanBytes[], position: number): Promise<void> {
    const sizeBytes = lines.reduce((sum, line) => sum + line.length, 0);
    const { bytesWritten } = await this.#handle.writev(lines, position);
    // The kernel may take less at once, near a full disk or beyond 2 GiB.
    if (bytesWritten < sizeBytes) await this.#writeRest(Buffer.concat(lines), bytesWritten, position);
    await this.#handle.datasync();
  }

  async #writeRest(bytes: Buffer, from: number, position: number): Promise<void> {
    for (let done = from; done < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  /** Takes away what was appended and never committed. @throws `store_corrupt` when committed bytes are missing. */
  cutTo(sizeBytes: number): Promise<void> {
    return this.#cutTo(sizeBytes).catch(refuse(this.#folder));
  }

  async #cutTo(sizeBytes: number): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size < sizeBytes)
      throw runCorrupt(this.#runId, `its items have ${size} bytes instead of ${sizeBytes}`);
    if (size > sizeBytes) await this.#handle.truncate(sizeBytes);
  }

  /**
   * The bytes of neighbouring items, each without its line break. They lie in `target` where that is
   * large enough.
   */
  read(rows: readonly ItemRow[], target?: Buffer): Promise<Buffer[]> {
    return this.#read(rows, target).catch(refuse(this.#folder, 'store_read_failed'));
  }

  async #read(rows: readonly ItemRow[], target?: Buffer): Promise<Buffer[]> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const start = first[0];
    const sizeBytes = last[0] + last[1] - start;
    const isFitting = target !== undefined && sizeBytes <= target.length;
    const bytes = isFitting ? target.subarray(0, sizeBytes) : Buffer.allocUnsafe(sizeBytes);
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) throw runCorrupt(this.#runId, 'its items end early');
      done += bytesRead;
    }
    return rows.map(([position, size]) => bytes.subarray(position - start, position - start + size));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
