import { pack } from 'tar-stream';
import { SpillwayError } from '../../../shared/errors.ts';

export const BLOCK_BYTES = 512;
/** Two empty blocks end an archive. */
export const END_BYTES = 2 * BLOCK_BYTES;

/** What differs between the headers of two members. */
export interface Member {
  readonly name: string;
  readonly sizeBytes: number;
  /** Seconds since the epoch. */
  readonly mtimeS: number;
}

/** A member as `tar-stream` takes it: plain file, 0600, of nobody, so that equal parts give equal bytes. */
export function headerOf({ name, sizeBytes, mtimeS }: Member) {
  const mtime = new Date(mtimeS * 1_000);
  return {
    name,
    size: sizeBytes,
    mtime,
    mode: 0o600,
    uid: 0,
    gid: 0,
    uname: '',
    gname: '',
    type: 'file',
  } as const;
}

/** The block that stands before a member in an archive of ours. */
export function headerBlock(member: Member): Buffer {
  const archive = pack();
  archive.on('error', () => undefined);
  archive.entry(headerOf(member)).on('error', () => undefined);
  const block: unknown = archive.read();
  archive.destroy();
  if (Buffer.isBuffer(block) && block.length === BLOCK_BYTES) return block;
  throw new SpillwayError('internal_error', `The header of ${member.name} is not one block.`);
}
