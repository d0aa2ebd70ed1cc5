import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openRegular } from '../machine/regular-file.ts';
import { runCorrupt } from './records.ts';
import { refuse } from './run-error.ts';

/*
 * Two meta pages are at the beginning of an environment of LMDB (struct MDB_meta of its mdb.c, behind
 * the header of a page). Commits write them in turn; the one with the higher transaction counts.
 */
const MAGIC = 0xbe_ef_c0_de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
/** Roots of the two trees of an environment: what is free, and what is kept. */
const ROOTS_AT = [88, 136];
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;
const PAGE_BYTES_MIN = 256;
const PAGE_BYTES_MAX = 65_536;
/** The root of an empty tree. */
const NO_PAGE = 2n ** 64n - 1n;
/** The last pages may never have been written: a transaction that took and freed them again. One in practice. */
const UNWRITTEN_PAGES_MAX = 4n;

interface Meta {
  readonly pageBytes: number;
  /** The highest page that has to be there. */
  readonly neededPage: bigint;
  readonly transaction: bigint;
}

/** Null if it is not a meta page. */
function parseMeta(bytes: Buffer): Meta | null {
  if (bytes.length < META_BYTES || bytes.readUInt32LE(MAGIC_AT) !== MAGIC) return null;
  const pageBytes = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX) return null;
  const roots = ROOTS_AT.map((at) => bytes.readBigUInt64LE(at)).filter((root) => root !== NO_PAGE);
  const pages = [bytes.readBigUInt64LE(LAST_PAGE_AT) - UNWRITTEN_PAGES_MAX, ...roots];
  return {
    pageBytes,
    neededPage: pages.reduce((highest, page) => (page > highest ? page : highest)),
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
  };
}

/** Open files that LMDB needs: its data twice, and its lock. */
const OPEN_FILES = 3;

/**
 * Tries what LMDB does first with the data of an environment, which is made where it is missing. LMDB maps it and
 * trusts it: a page that is not there ends the process. Where it cannot open its files, lmdb-js 3.5.6 ends the
 * process too: `EnvWrap::openEnv` of its env.cpp reads what it has just freed.
 * @throws `store_corrupt`, `store_read_failed`, `store_full`
 */
export async function assertUsable(folder: string, runId: string): Promise<void> {
  const why = await damageOf(folder).catch(refuse(folder, 'store_read_failed'));
  if (why !== null) throw runCorrupt(runId, why);
}

async function damageOf(folder: string): Promise<string | null> {
  const handles: FileHandle[] = [];
  try {
    // As many as LMDB needs, but not its lock: see lock-file.ts.
    while (handles.length < OPEN_FILES) handles.push(await openRegular(join(folder, 'data.mdb'), 'a+'));
    const [data] = handles;
    if (data === undefined) return null;
    const { size } = await data.stat();
    return size === 0 ? null : await damageOfData(data);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function damageOfData(data: FileHandle): Promise<string | null> {
  const read = async (position: number): Promise<Meta | null> => {
    const { buffer, bytesRead } = await data.read(Buffer.alloc(META_BYTES), 0, META_BYTES, position);
    return parseMeta(buffer.subarray(0, bytesRead));
  };
  const first = await read(0);
  const second = first && (await read(first.pageBytes));
  if (first === null || second === null || first.pageBytes !== second.pageBytes)
    return 'its environment has an invalid header';
  const { neededPage, pageBytes } = first.transaction >= second.transaction ? first : second;
  // After the pages, since a file that is written to only grows.
  const { size } = await data.stat();
  const expected = (neededPage + 1n) * BigInt(pageBytes);
  return size >= expected ? null : `its environment has ${size} bytes of at least ${expected}`;
}
