import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  FORMAT,
  FORMAT_VERSION,
  hashOfParts,
  Manifest,
  MANIFEST_NAME,
  checkSignature,
  SIGNATURE_NAME,
  type Signer,
  TOKEN_NAME,
} from './manifest.ts';
import { PART_KINDS } from './sources.ts';
import { hashWith } from './timestamp-parse.ts';
import { type ReadCertificate, checkToken, type TimeStamp } from './timestamp.ts';
import { textsOf } from '../../../shared/cut.ts';
import { describeIssues } from '../../../shared/json-schema.ts';

/** A member that was read. */
export interface Found {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** For the few that are read as a whole; else null. */
  readonly text: Buffer | null;
}

export interface Checked {
  readonly sha256: string;
  readonly manifest: Manifest | null;
  /** Null if it is not signed, or not correctly. */
  readonly signature: Signer | null;
  /** Null if it is not time-stamped, or not correctly. */
  readonly timestamp: TimeStamp | null;
  readonly problems: readonly string[];
}

/** For an archive without a manifest. */
export const NOTHING = { manifest: null, signature: null, timestamp: null } as const;

/** Members that may follow the manifest, which does not list them. */
export const ATTACHED: readonly string[] = [SIGNATURE_NAME, TOKEN_NAME];
/** Members that are read as a whole, with their size limits, which none comes close to. */
export const WHOLE_MAX_BYTES: ReadonlyMap<string, number> = new Map([
  [MANIFEST_NAME, 4 * 1_024 * 1_024],
  ...ATTACHED.map((name) => [name, 64 * 1_024] as const),
]);

/** Null accepts any signature, or none. */
export interface Expected {
  /** The public key that it must be signed with. */
  readonly key: KeyObject | null;
  /** Certificates, one of which must have issued the time-stamp authority's, directly or through others. */
  readonly timestampAnchors: readonly ReadCertificate[] | null;
}

/** Checks the members against the manifest, and the manifest against its signature and time stamp. */
export function checkBundle(
  bytes: Buffer,
  found: readonly Found[],
  expected: Expected,
): Omit<Checked, 'sha256'> {
  const attached = (wanted: string): Buffer | null => found.find(({ name }) => name === wanted)?.text ?? null;
  const { manifest, problems } = checkManifest(
    bytes,
    found.filter(({ name }) => !ATTACHED.includes(name)),
  );
  const signature = attached(SIGNATURE_NAME);
  const { signer, problems: more } = checkSignature({ signature, manifest: bytes, expected: expected.key });
  const { stamp, problems: others } = checkStamp(attached(TOKEN_NAME), bytes, expected);
  return { manifest, signature: signer, timestamp: stamp, problems: [...problems, ...more, ...others] };
}

function checkStamp(
  token: Buffer | null,
  manifest: Buffer,
  { timestampAnchors: anchors }: Expected,
): { readonly stamp: TimeStamp | null; readonly problems: readonly string[] } {
  if (token === null) return { stamp: null, problems: anchors === null ? [] : ['it has no time stamp'] };
  const { stamp, problem } = checkToken({ token, digest: hashWith('sha256', manifest), anchors });
  return { stamp, problems: problem === null ? [] : [`${TOKEN_NAME}: ${problem}`] };
}

function checkManifest(
  bytes: Buffer,
  contents: readonly Found[],
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
    ...checkWhole(parsed),
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

function checkPart(part: Manifest['parts'][number], content: Found): string[] {
  const kind = PART_KINDS.find((each) => each.part === part.part);
  const wrong = textsOf(
    part.size_bytes !== content.sizeBytes && `it has ${content.sizeBytes} bytes, listed: ${part.size_bytes}`,
    part.sha256 !== content.sha256 && `its SHA-256 is ${content.sha256}, listed: ${part.sha256}`,
    (kind?.name !== part.name || kind.type !== part.type) && `it is not a member for ${part.part}`,
  );
  return wrong.map((text) => `${part.name}: ${text}`);
}

function checkWhole(manifest: Manifest): string[] {
  const names = [...manifest.parts, ...manifest.failed].map(({ part }) => part);
  return textsOf(
    hashOfParts(manifest.parts) !== manifest.parts_sha256 &&
      'parts_sha256 is not the hash over the listed hashes',
    new Set(names).size !== names.length && 'a part is listed twice',
  );
}
