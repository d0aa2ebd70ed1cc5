import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CleanText } from '../../redact/clean.ts';
import { EvidencePart } from '../../../shared/tools/oc_evidence_bundle/parts.ts';

export const FORMAT = 'spillway-evidence-bundle';
export const FORMAT_VERSION = 1;
export const MANIFEST_NAME = 'manifest.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const IsoTime = z.iso.datetime({ precision: 3 });
const Counts = z.record(z.string(), z.int().min(0));

/** What redaction replaced: counts by rule. */
const Redacted = z.strictObject({
  secrets: Counts,
  invisible_characters: z.int().min(0),
  instruction_like: z.int().min(0),
});

const BundlePart = z.strictObject({
  part: EvidencePart,
  /** Name of the archive's member. */
  name: z.string().regex(/^[a-z][a-z0-9-]*(?:\.[a-z0-9]+){1,2}$/),
  type: z.string().max(100),
  size_bytes: z.int().min(0),
  sha256: Sha256,
  /** When its capture began, and how long it took. */
  captured_at: IsoTime,
  took_ms: z.int().min(0),
  /** Null where no redactor can read: a picture. */
  redacted: Redacted.nullable(),
  /** What could not be read, and other remarks. */
  notes: z.array(z.string()),
});
export type BundlePart = z.infer<typeof BundlePart>;

const FailedPart = z.strictObject({
  part: EvidencePart,
  code: z.string().max(100),
  message: z.string(),
  /** The next step. */
  hint: z.string(),
  failed_at: IsoTime,
});
export type FailedPart = z.infer<typeof FailedPart>;

/** `manifest.json`, the last member of a bundle. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  format_version: z.literal(FORMAT_VERSION),
  created_at: IsoTime,
  tab: z.string(),
  /** Redacted. */
  url: z.string(),
  title: z.string(),
  /** As the caller said it, redacted; null when it was not said. */
  captured_by: z.string().nullable(),
  case_reference: z.string().nullable(),
  /** Null when it was not asked for. */
  reload: z
    .strictObject({
      at: IsoTime,
      status: z.int().nullable(),
      redirects: z.int(),
      error: z.string().nullable(),
    })
    .nullable(),
  versions: z.strictObject({
    server: z.string(),
    extension: z.string(),
    host: z.string(),
    browser: z.string(),
    wire: z.int(),
  }),
  /** In the order of their capture, which is the archive's. */
  parts: z.array(BundlePart).min(1),
  failed: z.array(FailedPart),
  /** Of all parts together; `enabled: false` with `--no-sanitize-content`. */
  redaction: Redacted.extend({ enabled: z.boolean(), not_redacted: z.array(z.string()) }),
  /** {@link hashOfParts} */
  parts_sha256: Sha256,
});
export type Manifest = z.infer<typeof Manifest>;

/** A manifest whose texts of the page and of failures are clean. */
export type CleanManifest = Manifest & {
  readonly url: CleanText;
  readonly title: CleanText;
  readonly captured_by: CleanText | null;
  readonly case_reference: CleanText | null;
  readonly reload: { readonly error: CleanText | null } | null;
  readonly parts: { readonly notes: CleanText[] }[];
  readonly failed: { readonly message: CleanText }[];
};

/**
 * One hash over the part hashes: SHA-256 of the text that `sha256sum` prints for the parts, in their
 * order: a line each of hash, two blanks, name and line feed.
 */
export function hashOfParts(parts: readonly { readonly sha256: string; readonly name: string }[]): string {
  const hash = createHash('sha256');
  for (const { sha256, name } of parts) hash.update(`${sha256}  ${name}\n`);
  return hash.digest('hex');
}

/** Whole seconds, as the header of a tar has them. */
export const secondsOf = (isoTime: string): number => Math.floor(Date.parse(isoTime) / 1_000);
