import { createHash, type KeyObject } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromFdPromise, type Entry, type ZipFile as OpenZip } from 'yauzl';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { describeIssues, parseAs } from '../../shared/base/json-schema.ts';
import { textsOf } from '../../shared/base/cut.ts';
import { errnoOf, isMissing } from '../core/machine/errno.ts';
import {
  checkSignature,
  FORMAT,
  FORMAT_VERSION,
  hashOfParts,
  Manifest,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  TOKEN_MAX_BYTES,
  TOKEN_NAME,
  type Signer,
} from './manifest.ts';
import { PART_KINDS } from './sources.ts';
import { checkToken, type ReadCertificate, type TimeStamp } from '../libraries/evidence-format/timestamp.ts';
import {
  DIGEST_PATH,
  digestText,
  EVIDENCE_FOLDER,
  INDEX_PATH,
  PACKAGE_PATH,
  packZip,
  PAGES_PATH,
  WARC_PATH,
  type PackagedFile,
  type ZipMember,
} from '../libraries/evidence-format/wacz.ts';

/** `problems` is empty exactly if every check passes; otherwise in the order of finding. */
export interface Verification {
  readonly ok: boolean;
  readonly file: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly manifest: Manifest | null;
  /** Null if it is not signed, or not correctly. */
  readonly signature: Signer | null;
  /** Null if it is not time-stamped, or not correctly. */
  readonly timestamp: TimeStamp | null;
  readonly problems: readonly string[];
}

type Judged = Pick<Verification, 'manifest' | 'signature' | 'timestamp' | 'problems'>;

const buildUnjudged = (problems: readonly string[]): Judged => ({
  manifest: null,
  signature: null,
  timestamp: null,
  problems,
});

/** Null accepts any signature or time stamp, or none. */
interface Expected {
  /** The public key that it must be signed with. */
  readonly key: KeyObject | null;
  /** Certificates, one of which must have issued the time-stamp authority's, directly or through others. */
  readonly timestampAnchors: readonly ReadCertificate[] | null;
}

/** Maximum problems listed: with more, the file is not a bundle. */
const MAX_PROBLEMS = 20;

/**
 * Checks a bundle: that its files are those in the data package, with the same digests, that the evidence matches the
 * manifest, and that packing the files again gives the identical zip, which leaves no byte unchecked. Memory: a few
 * chunks, data package and manifest.
 * @throws SpillwayError `invalid_argument` if the file is missing, is not a file, or cannot be read
 */
export async function verifyBundle(
  path: string,
  { key = null, timestampAnchors = null }: Partial<Expected> = {},
): Promise<Verification> {
  let file: FileHandle | undefined;
  try {
    // A pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) throw invalidArgument(`FILE: ${path} is not a regular file.`);
    const bundle = { file, sizeBytes: stats.size, expected: { key, timestampAnchors } };
    const hash = createHash('sha256');
    for await (const chunk of bytesIn(file, 0, stats.size)) hash.update(chunk);
    const judged = await judgeZip(bundle).catch((thrown: unknown) =>
      buildUnjudged([`the zip cannot be read (${messageOf(thrown)})`]),
    );
    return {
      ok: judged.problems.length === 0,
      file: path,
      size_bytes: stats.size,
      sha256: hash.digest('hex'),
      ...judged,
      problems: judged.problems.slice(0, MAX_PROBLEMS),
    };
  } catch (thrown) {
    if (thrown instanceof SpillwayError) throw thrown;
    const reason = isMissing(thrown)
      ? 'does not exist'
      : `cannot be read (${errnoOf(thrown) ?? String(thrown)})`;
    throw new SpillwayError('invalid_argument', `FILE: ${path} ${reason}.`, { cause: thrown });
  } finally {
    await file?.close();
  }
}

/** No bundle has more members. */
const MAX_MEMBERS = 64;
const STORED = 0;
const MANIFEST_PATH = `${EVIDENCE_FOLDER}${MANIFEST_NAME}`;
const LISTING_MAX_BYTES = 4 * 1_024 * 1_024;
/** Members that are read as a whole, with their size limits, which none comes close to. */
const WHOLE_MAX_BYTES: ReadonlyMap<string, number> = new Map([
  [MANIFEST_PATH, LISTING_MAX_BYTES],
  [PACKAGE_PATH, LISTING_MAX_BYTES],
  [DIGEST_PATH, LISTING_MAX_BYTES],
  [EVIDENCE_FOLDER + SIGNATURE_NAME, TOKEN_MAX_BYTES],
  [EVIDENCE_FOLDER + TOKEN_NAME, TOKEN_MAX_BYTES],
]);
const REQUIRED = [WARC_PATH, INDEX_PATH, PAGES_PATH, MANIFEST_PATH, PACKAGE_PATH, DIGEST_PATH];

interface Bundle {
  readonly file: FileHandle;
  readonly sizeBytes: number;
  readonly expected: Expected;
}

async function judgeZip({ file, sizeBytes, expected }: Bundle): Promise<Judged> {
  const zip = await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
  if (zip.entryCount > MAX_MEMBERS) return buildUnjudged([`it has ${zip.entryCount} members`]);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const odd = entries.flatMap(oddities);
  if (odd.length > 0) return buildUnjudged(odd);
  const found: FoundMember[] = [];
  for (const entry of entries) found.push(await readMember(zip, entry));
  const missing = REQUIRED.filter((path) => !found.some(({ name }) => name === path));
  if (missing.length > 0) return buildUnjudged(missing.map((path) => `there is no ${path}`));
  const { problems, ...judged } = judgeEvidence(found, expected);
  const isSame = await isSameZip(zip, entries, { file, sizeBytes });
  return {
    ...judged,
    problems: [
      ...checkPackage(found),
      ...problems,
      ...textsOf(!isSame && 'its bytes are not those of a bundle'),
    ],
  };
}

function oddities(entry: Entry, at: number, all: readonly Entry[]): string[] {
  const shown = JSON.stringify(entry.fileName);
  return textsOf(
    entry.compressionMethod !== STORED && `${shown} is compressed`,
    all.findIndex(({ fileName }) => fileName === entry.fileName) !== at && `${shown} appears twice`,
    entry.uncompressedSize > (WHOLE_MAX_BYTES.get(entry.fileName) ?? Infinity) &&
      `${shown} has ${entry.uncompressedSize} bytes`,
  );
}

/** A member that was read. */
interface FoundMember extends PackagedFile {
  /** For the few that are read as a whole; else null. */
  readonly text: Buffer | null;
}

async function readMember(zip: OpenZip, entry: Entry): Promise<FoundMember> {
  const hash = createHash('sha256');
  const kept: Buffer[] | null = WHOLE_MAX_BYTES.has(entry.fileName) ? [] : null;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    kept?.push(chunk);
  }
  return {
    name: entry.fileName,
    sizeBytes: entry.uncompressedSize,
    sha256: hash.digest('hex'),
    text: kept && Buffer.concat(kept),
  };
}

const findMemberText = (found: readonly FoundMember[], path: string): Buffer | null =>
  found.find(({ name }) => name === path)?.text ?? null;

/** How the members differ from those that are listed. */
function differences(listed: readonly PackagedFile[], found: readonly FoundMember[]): string[] {
  return [
    ...listed.flatMap(({ name, sizeBytes, sha256 }) => {
      const member = found.find((each) => each.name === name);
      if (member === undefined) return [`${name} is listed but missing`];
      return textsOf(
        member.sizeBytes !== sizeBytes && `${name}: it has ${member.sizeBytes} bytes, listed: ${sizeBytes}`,
        member.sha256 !== sha256 && `${name}: its SHA-256 is ${member.sha256}, listed: ${sha256}`,
      );
    }),
    ...found
      .filter(({ name }) => !listed.some((each) => each.name === name))
      .map(({ name }) => `${name} is present but not listed`),
  ];
}

const Resource = z
  .object({ path: z.string(), hash: z.templateLiteral(['sha256:', z.string()]), bytes: z.int().min(0) })
  .transform(({ path, hash, bytes }): PackagedFile => ({
    name: path,
    sizeBytes: bytes,
    sha256: hash.slice('sha256:'.length),
  }));
const DataPackage = z.object({ resources: z.array(Resource) });

function checkPackage(found: readonly FoundMember[]): string[] {
  const bytes = findMemberText(found, PACKAGE_PATH) ?? Buffer.alloc(0);
  const listed = parseAs(DataPackage, bytes.toString('utf8'))?.resources;
  if (listed === undefined) return [`${PACKAGE_PATH}: it is not a data package`];
  const files = found.filter(({ name }) => name !== PACKAGE_PATH && name !== DIGEST_PATH);
  return [
    ...textsOf(
      digestText(bytes) !== findMemberText(found, DIGEST_PATH)?.toString('utf8') &&
        `${DIGEST_PATH}: it is not the digest of ${PACKAGE_PATH}`,
    ),
    ...differences(listed, files),
  ];
}

/** Checks the files in `evidence/` against the manifest, and the manifest against its signature and time stamp. */
function judgeEvidence(found: readonly FoundMember[], { key, timestampAnchors: anchors }: Expected): Judged {
  const members = found
    .filter(({ name }) => name.startsWith(EVIDENCE_FOLDER))
    .map((file) => ({ ...file, name: file.name.slice(EVIDENCE_FOLDER.length) }));
  const bytes = findMemberText(members, MANIFEST_NAME) ?? Buffer.alloc(0);
  const manifest = parseManifest(bytes);
  const signed = checkSignature(findMemberText(members, SIGNATURE_NAME), bytes, key);
  const stamped = checkStamp(findMemberText(members, TOKEN_NAME), bytes, anchors);
  const isManifest = typeof manifest !== 'string';
  return {
    manifest: isManifest ? manifest : null,
    signature: signed.signer,
    timestamp: stamped.stamp,
    problems: [
      ...(isManifest ? checkParts(manifest, members) : [`${MANIFEST_NAME}: ${manifest}`]),
      ...signed.problems,
      ...stamped.problems,
    ],
  };
}

function checkStamp(
  token: Buffer | null,
  manifest: Buffer,
  anchors: Expected['timestampAnchors'],
): { readonly stamp: TimeStamp | null; readonly problems: readonly string[] } {
  if (token === null) return { stamp: null, problems: anchors === null ? [] : ['it has no time stamp'] };
  const digest = createHash('sha256').update(manifest).digest();
  const { stamp, problem } = checkToken(token, digest, anchors);
  return { stamp, problems: problem === null ? [] : [`${TOKEN_NAME}: ${problem}`] };
}

const Version = z.looseObject({ format: z.literal(FORMAT), format_version: z.number() });

/** The manifest, or what is wrong with it. */
function parseManifest(bytes: Buffer): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'it is not JSON';
  }
  const version = Version.safeParse(value);
  if (!version.success) return 'it is not the manifest of a bundle';
  if (version.data.format_version !== FORMAT_VERSION)
    return `it has format version ${version.data.format_version}; this program supports ${FORMAT_VERSION}`;
  const manifest = Manifest.safeParse(value);
  if (manifest.success) return manifest.data;
  return describeIssues(manifest.error.issues.slice(0, 3), 'manifest');
}

/** Members after the parts, in their order; the manifest does not list them. */
const AFTER_PARTS: readonly string[] = [MANIFEST_NAME, SIGNATURE_NAME, TOKEN_NAME];

function checkParts(manifest: Manifest, members: readonly FoundMember[]): string[] {
  const { parts, failed, parts_sha256: hash } = manifest;
  const kinds = [...parts, ...failed].map(({ part }) => part);
  const order = [...parts.map(({ name }) => name), ...AFTER_PARTS];
  const places = members.map(({ name }) => order.indexOf(name)).filter((place) => place >= 0);
  const isInOrder = places.every((place, at) => place > (places[at - 1] ?? -1));
  return [
    ...differences(
      parts.map((part) => ({ ...part, sizeBytes: part.size_bytes })),
      members.filter(({ name }) => !AFTER_PARTS.includes(name)),
    ),
    ...parts
      .filter(({ part, name, type }) => {
        const kind = PART_KINDS.find((each) => each.part === part);
        return kind?.name !== name || kind.type !== type;
      })
      .map(({ part, name }) => `${name}: it is not a member for ${part}`),
    ...textsOf(
      hashOfParts(parts) !== hash && 'parts_sha256 is not the hash over the listed hashes',
      new Set(kinds).size !== kinds.length && 'a part is listed twice',
      !isInOrder && `the files in ${EVIDENCE_FOLDER} are not in their order`,
    ),
  ];
}

async function isSameZip(
  zip: OpenZip,
  entries: readonly Entry[],
  { file, sizeBytes }: Omit<Bundle, 'expected'>,
): Promise<boolean> {
  const members: ZipMember[] = [];
  for (const entry of entries) {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const size = entry.uncompressedSize;
    const open = (): Readable => Readable.from(bytesIn(file, start, start + size));
    members.push({ name: entry.fileName, sizeBytes: size, open });
  }
  let at = 0;
  for await (const chunk of packZip(members, new AbortController().signal)) {
    const own = Buffer.alloc(chunk.length);
    const { bytesRead } = await file.read({ buffer: own, position: at });
    if (bytesRead < chunk.length || !own.equals(chunk)) return false;
    at += chunk.length;
  }
  return at === sizeBytes;
}

const CHUNK_BYTES = 256 * 1_024;

/** The bytes of a file from one offset to another, or to its end. */
async function* bytesIn(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer, void> {
  for (let at = from; at < to;) {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, to - at));
    const { bytesRead } = await file.read({ buffer, position: at });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
