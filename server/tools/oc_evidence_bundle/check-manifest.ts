import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { FORMAT, FORMAT_VERSION, hashOfParts, Manifest, MANIFEST_NAME } from './manifest.ts';
import { PART_KINDS } from './parts.ts';
import { checkSignature, SIGNATURE_MAX_BYTES, SIGNATURE_NAME, type Signer } from './signature.ts';
import { secondsOf, type Member } from './tar-header.ts';
import { hashWith } from './timestamp/algorithms.ts';
import type { ReadCertificate } from './timestamp/certificates.ts';
import { TOKEN_MAX_BYTES, TOKEN_NAME } from './timestamp/names.ts';
import { checkToken, type TimeStamp } from './timestamp/token.ts';
import { describeIssues } from '../../../shared/describe-issues.ts';

/** A member as it was read. */
export interface Content extends Omit<Member, 'mtimeS'> {
  readonly sha256: string;
  /** Null in an archive that keeps no times. */
  readonly mtimeS: number | null;
}

/** What a check of a whole archive found. */
export interface Checked {
  readonly sha256: string;
  readonly manifest: Manifest | null;
  /** Null when it is not signed, or not rightly. */
  readonly signature: Signer | null;
  /** Null when it is not time-stamped, or not rightly. */
  readonly timestamp: TimeStamp | null;
  readonly problems: readonly string[];
}

/** Of an archive without a manifest. */
export const NOTHING = { manifest: null, signature: null, timestamp: null } as const;

/** Members that may follow the manifest, which does not list them. */
export const ATTACHED: readonly string[] = [SIGNATURE_NAME, TOKEN_NAME];
/** No attached member comes near it. */
export const ATTACHED_MAX_BYTES = Math.max(SIGNATURE_MAX_BYTES, TOKEN_MAX_BYTES);

/** What a bundle has to have beyond being intact; null takes any, and none. */
export interface Expected {
  /** The public key that it is signed with. */
  readonly key: KeyObject | null;
  /** Certificates of which one issued, over others or by itself, that of the time-stamp authority. */
  readonly timestampAnchors: readonly ReadCertificate[] | null;
}

interface BundleCheck {
  readonly manifest: Buffer;
  readonly contents: readonly Content[];
  /** The bytes of what is attached, by name. */
  readonly attached: ReadonlyMap<string, Buffer>;
  readonly expected: Expected;
}

/** Checks the members against the manifest, and the manifest against its signature and time stamp. */
export function checkBundle({
  manifest: bytes,
  contents,
  attached,
  expected,
}: BundleCheck): Omit<Checked, 'sha256'> {
  const { manifest, problems } = checkManifest(
    bytes,
    contents.filter(({ name }) => !ATTACHED.includes(name)),
  );
  const signature = attached.get(SIGNATURE_NAME) ?? null;
  const { signer, problems: more } = checkSignature({ signature, manifest: bytes, expected: expected.key });
  const { stamp, problems: others } = checkStamp(attached.get(TOKEN_NAME), bytes, expected);
  return {
    manifest,
    signature: signer,
    timestamp: stamp,
    problems: [...problems, ...more, ...others],
  };
}

function checkStamp(
  token: Buffer | undefined,
  manifest: Buffer,
  { timestampAnchors: anchors }: Expected,
): { readonly stamp: TimeStamp | null; readonly problems: readonly string[] } {
  if (token === undefined) return { stamp: null, problems: anchors === null ? [] : ['it has no time stamp'] };
  const { stamp, problem } = checkToken({ token, digest: hashWith('sha256', manifest), anchors });
  return { stamp, problems: problem === null ? [] : [`${TOKEN_NAME}: ${problem}`] };
}

/** What the members must be by the manifest, and are not. */
function checkManifest(
  bytes: Buffer,
  contents: readonly Content[],
): { readonly manifest: Manifest | null; readonly problems: readonly string[] } {
  const parsed = parse(bytes);
  if (typeof parsed === 'string') return { manifest: null, problems: [`${MANIFEST_NAME}: ${parsed}`] };
  const listed = parsed.parts.map(({ name }) => name);
  const found = contents.filter(({ name }) => name !== MANIFEST_NAME);
  const foundNames = found.map(({ name }) => name);
  const problems = [
    ...listed.filter((name) => !foundNames.includes(name)).map((name) => `${name} is listed but missing`),
    ...foundNames.filter((name) => !listed.includes(name)).map((name) => `${name} is present but not listed`),
    ...parsed.parts.flatMap((part) => {
      const content = found.find(({ name }) => name === part.name);
      return content === undefined ? [] : checkPart(part, content);
    }),
    ...checkWhole(parsed, contents),
  ];
  const inOrder =
    listed.filter((name) => foundNames.includes(name)).join() ===
    foundNames.filter((name) => listed.includes(name)).join();
  return {
    manifest: parsed,
    problems: inOrder ? problems : [...problems, 'the members are not in the listed order'],
  };
}

const Version = z.looseObject({ format: z.literal(FORMAT), format_version: z.number() });

function parse(bytes: Buffer): Manifest | string {
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

const isTime = ({ mtimeS }: Content, isoTime: string): boolean =>
  mtimeS === null || mtimeS === secondsOf(isoTime);

function checkPart(part: Manifest['parts'][number], content: Content): string[] {
  const kind = PART_KINDS.find((each) => each.part === part.part);
  const wrong = [
    ...(part.size_bytes === content.sizeBytes
      ? []
      : [`it has ${content.sizeBytes} bytes, listed: ${part.size_bytes}`]),
    ...(part.sha256 === content.sha256 ? [] : [`its SHA-256 is ${content.sha256}, listed: ${part.sha256}`]),
    ...(isTime(content, part.captured_at) ? [] : ['its time is not the listed one']),
    ...(kind?.name === part.name && kind.type === part.type ? [] : [`it is not a member for ${part.part}`]),
  ];
  return wrong.map((text) => `${part.name}: ${text}`);
}

function checkWhole(manifest: Manifest, contents: readonly Content[]): string[] {
  const own = contents.find(({ name }) => name === MANIFEST_NAME);
  const names = [...manifest.parts, ...manifest.failed].map(({ part }) => part);
  return [
    ...(hashOfParts(manifest.parts) === manifest.parts_sha256
      ? []
      : ['parts_sha256 is not the hash over the listed hashes']),
    ...(own !== undefined && isTime(own, manifest.created_at)
      ? []
      : [`${MANIFEST_NAME}: its time is not created_at`]),
    ...(new Set(names).size === names.length ? [] : ['a part is listed twice']),
  ];
}
