import { BLOCK_BYTES, END_BYTES, headerBlock, type Member } from './tar-header.ts';

/** Receives the content of a tar, in order. An answer other than null describes an error and ends the reading. */
export interface TarVisitor {
  readonly member: (member: Member) => string | null;
  readonly data: (bytes: Buffer) => void;
  readonly memberEnd: () => void;
}

const NAME_BYTES = 100;
const TYPES: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a character device',
  '4': 'a block device',
  '5': 'a folder',
  '6': 'a pipe',
};
const PLAIN_FILE = '0';

/**
 * Reads the one form of tar that bundles have: plain files, each header exactly the block that the
 * packer writes for its name, size and time, padding and end empty, nothing behind. General readers
 * are less strict. Memory: one block in addition to the chunk.
 */
export class TarReader {
  readonly #visitor: TarVisitor;
  #held: Buffer = Buffer.alloc(0);
  /** Bytes of the member's data that are still to come; null between members. */
  #dataLeft: number | null = null;
  #paddingLeft = 0;
  /** Bytes of the end that were seen; null before it. */
  #ended: number | null = null;
  #members = 0;

  constructor(visitor: TarVisitor) {
    this.#visitor = visitor;
  }

  /** Takes a chunk; returns what is wrong with it, or null. */
  push(chunk: Buffer): string | null {
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    while (rest.length > 0) {
      if (this.#dataLeft !== null) rest = this.#data(rest, this.#dataLeft);
      else if (this.#ended !== null) {
        const problem = this.#end(rest, this.#ended);
        return problem;
      } else if (rest.length < this.#paddingLeft + BLOCK_BYTES) {
        this.#held = Buffer.from(rest);
        return null;
      } else {
        const problem = this.#header(rest.subarray(0, this.#paddingLeft + BLOCK_BYTES));
        if (problem !== null) return problem;
        rest = rest.subarray(this.#paddingLeft + BLOCK_BYTES);
        this.#paddingLeft = this.#dataLeft === null ? 0 : this.#paddingAfter(this.#dataLeft);
        if (this.#dataLeft === 0) this.#finish();
      }
    }
    return null;
  }

  /** To be called once after the last chunk; returns what is missing, or null. */
  finish(): string | null {
    return this.#ended === END_BYTES ? null : 'the archive ends too early';
  }

  #paddingAfter = (sizeBytes: number): number => (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;

  #data(rest: Buffer, left: number): Buffer {
    const taken = rest.subarray(0, left);
    this.#visitor.data(taken);
    this.#dataLeft = left - taken.length;
    if (this.#dataLeft === 0) this.#finish();
    return rest.subarray(taken.length);
  }

  #finish(): void {
    this.#dataLeft = null;
    this.#visitor.memberEnd();
  }

  #end(rest: Buffer, seen: number): string | null {
    this.#ended = seen + rest.length;
    if (this.#ended > END_BYTES) return 'there is data after the end of the tar';
    return isEmpty(rest) ? null : 'the end of the tar is not empty';
  }

  /** The padding of the member before, and the block behind it. */
  #header(bytes: Buffer): string | null {
    if (!isEmpty(bytes.subarray(0, this.#paddingLeft))) return 'the padding behind a member is not empty';
    const block = bytes.subarray(this.#paddingLeft);
    if (isEmpty(block)) {
      this.#ended = BLOCK_BYTES;
      return null;
    }
    this.#members += 1;
    const member = parse(block);
    const problem = typeof member === 'string' ? member : this.#checked(member, block);
    return problem === null ? null : `member ${this.#members}: ${problem}`;
  }

  #checked(member: Member, block: Buffer): string | null {
    const problem = this.#visitor.member(member);
    if (problem !== null) return problem;
    if (!headerBlock(member).equals(block)) return 'its header does not belong to a bundle';
    this.#dataLeft = member.sizeBytes;
    return null;
  }
}

const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

const textAt = (block: Buffer, from: number, length: number): string =>
  block.toString('latin1', from, from + length).replace(/\0[\s\S]*$/, '');

/** Name, size and time of a plain file's header (POSIX.1-1988, ustar); else what is wrong. */
function parse(block: Buffer): Member | string {
  const type = block.toString('latin1', 156, 157);
  if (type !== PLAIN_FILE) return `it is ${TYPES[type] ?? 'not a regular file'}`;
  const name = textAt(block, 0, NAME_BYTES);
  const size = textAt(block, 124, 12).trim();
  const mtime = textAt(block, 136, 12).trim();
  if (!/^[0-7]+$/.test(size) || !/^[0-7]+$/.test(mtime)) return 'its header does not belong to a bundle';
  return { name, sizeBytes: Number.parseInt(size, 8), mtimeS: Number.parseInt(mtime, 8) };
}
