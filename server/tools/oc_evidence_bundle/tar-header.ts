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

/** A member as `tar-stream` takes it: plain file, 0600, without an owner, so that equal parts give equal bytes. */
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

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')} `;

/** The block that the packer writes before a member of ours (POSIX.1-1988, ustar). */
export function headerBlock({ name, sizeBytes, mtimeS }: Member): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  const fields: readonly (readonly [number, string])[] = [
    [0, name],
    [100, octal(0o600, 6)],
    [108, octal(0, 6)],
    [116, octal(0, 6)],
    [124, octal(sizeBytes, 11)],
    [136, octal(mtimeS, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
    [329, octal(0, 6)],
    [337, octal(0, 6)],
  ];
  for (const [at, text] of fields) block.write(text, at, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.fill(0, 148, 156).write(octal(sum, 6), 148, 'latin1');
  return block;
}

/** Whole seconds, as a header has them. */
export const secondsOf = (isoTime: string): number => Math.floor(Date.parse(isoTime) / 1_000);
