import { createHash, type KeyObject } from 'node:crypto';
import type { JsonObject } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { CallContext } from '../core/context.ts';
import {
  ReportSum,
  type CleanPayload,
  type Outcome,
  type Produced,
  type RedactionReport,
} from '../core/result.ts';
import { cleanRecord, clean } from '../libraries/redaction/clean.ts';
import { vouch, vouchEachBytes } from '../libraries/redaction/mark.ts';
import { each } from '../../shared/base/queue.ts';
import { readStart } from '../core/file-stream.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import {
  type Manifest,
  MANIFEST_NAME,
  type CleanManifest,
  FORMAT,
  FORMAT_VERSION,
  hashOfParts,
  SIGNATURE_NAME,
  signManifest,
  TOKEN_NAME,
} from './manifest.ts';
import type { EvidenceServices } from './sources.ts';
import type { ShortMember } from './wacz-pack.ts';
import type { TimeStamp } from '../libraries/evidence-format/timestamp.ts';
import type { TabInfo } from '../../shared/core/bridge/page.ts';
import { formatTabId, type TabTarget } from '../core/targets.ts';
import { countsOf, type CapturedPart, type LostPart } from './capture.ts';

type Stamping = { readonly stamp: TimeStamp } | { readonly error: SpillwayError };

interface Delivery {
  readonly bundle: Bundle;
  readonly manifest: CleanManifest;
  readonly context: CallContext;
  readonly folder: string;
  /** Signs the manifest. */
  readonly signingKey: KeyObject | null;
  /** Address of the authority that stamps the manifest. */
  readonly timestampUrl: string | undefined;
}

/** Known once the archive was read. */
interface Packed {
  sha256: string | null;
  stamping: Stamping | null;
}

/**
 * The last members of a bundle: the manifest, and the proof of who made it and when. No act or failure of a
 * time-stamp authority loses the bundle.
 * @throws the signal's reason
 */
async function* lastMembers(
  { manifest, signingKey, timestampUrl: url, context: { signal } }: Delivery,
  packed: Packed,
): AsyncGenerator<ShortMember, void> {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`, 'utf8');
  yield { name: MANIFEST_NAME, bytes };
  if (signingKey !== null)
    yield { name: SIGNATURE_NAME, bytes: Buffer.from(signManifest(bytes, signingKey), 'utf8') };
  if (url === undefined) return;
  // The ASN.1 parser loads slowly, and most servers never stamp.
  const { requestStamp } = await import('./timestamp-request.ts');
  try {
    const digest = createHash('sha256').update(bytes).digest();
    const { token, stamp } = await requestStamp({ url, digest, signal });
    packed.stamping = { stamp };
    yield { name: TOKEN_NAME, bytes: token };
  } catch (thrown) {
    if (!(thrown instanceof SpillwayError) || thrown.code !== 'timestamp_failed') throw thrown;
    packed.stamping = { error: thrown };
  }
}

/**
 * The archive as bytes that are packed as they are read. If it would be inline and exceeds the caller's
 * limit, only the manifest.
 */
export async function produceArchive(delivery: Delivery): Promise<Produced> {
  const { manifest, context, bundle } = delivery;
  const packed: Packed = { sha256: null, stamping: null };
  const archive = pack(delivery, packed);
  const outcome = (extra: readonly string[] = []): Outcome => ({
    state: buildBundleState(manifest, packed),
    coverage: [...extra, ...describePacked(packed), ...remarks(manifest)],
  });
  const shared = { untrustedFrom: () => manifest.url, redacted: new ReportSum(...reportsOf(bundle)) };
  if (context.output.mode !== 'inline') return { ...shared, clean: bytesOf(archive), outcome };
  const limitBytes = context.output.inlineLimitBytes;
  // A WACZ is not compressed: if it cannot fit, it is not packed, and no time stamp is spent on it.
  const minBytes = manifest.parts.reduce((total, part) => total + part.size_bytes, 0);
  const read = minBytes > limitBytes ? null : await readStart(archive, limitBytes);
  if (read?.isWhole === true) return { ...shared, clean: bytesOf(each([read.bytes])), outcome };
  // Nobody gets the stamped bundle.
  packed.stamping = null;
  const clean: CleanPayload = { kind: 'json', mimeType: MIME.json, value: cleanRecord(vouch(manifest)) };
  const note = `The archive has more than ${limitBytes} bytes: this is its manifest. Call again with output_mode "handle" for the archive.`;
  return { ...shared, clean, outcome: () => outcome([note]) };
}

async function* pack(delivery: Delivery, packed: Packed): AsyncGenerator<Uint8Array, void> {
  const { manifest, context, folder } = delivery;
  const { packWacz } = await import('./wacz-pack.ts');
  const hash = createHash('sha256');
  const last = () => lastMembers(delivery, packed);
  for await (const chunk of packWacz({ manifest, last, folder, signal: context.signal })) {
    hash.update(chunk);
    yield chunk;
  }
  packed.sha256 = hash.digest('hex');
}

/** They were redacted part by part. */
const bytesOf = (source: AsyncIterable<Uint8Array>): CleanPayload => ({
  kind: 'bytes',
  mimeType: MIME.wacz,
  chunks: vouchEachBytes(source),
});

function describePacked({ sha256, stamping }: Packed): string[] {
  return [
    ...(sha256 === null ? [] : [`SHA-256 of the archive: ${sha256}.`]),
    ...(stamping === null
      ? []
      : 'stamp' in stamping
        ? [`Time stamp: ${stamping.stamp.time}.`]
        : [`No time stamp: ${stamping.error.message}`]),
  ];
}

function remarks({ failed, redaction }: Manifest): string[] {
  const lost = failed.map(({ part, code }) => `${part} (${code})`).join(', ');
  return [
    ...(lost === '' ? [] : [`Not captured: ${lost}; the manifest says why.`]),
    ...(redaction.not_redacted.length === 0
      ? []
      : [`Images cannot be redacted: ${redaction.not_redacted.join(', ')}.`]),
  ];
}

function buildBundleState(manifest: Manifest, { sha256, stamping }: Packed): JsonObject {
  return {
    tab: manifest.tab,
    url: manifest.url,
    parts: manifest.parts.map(({ part }) => part),
    failed: manifest.failed.map(({ part, code }) => ({ part, code })),
    parts_sha256: manifest.parts_sha256,
    archive_sha256: sha256,
    timestamp: stamping === null ? null : factsOfStamp(stamping),
  };
}

function factsOfStamp(stamping: Stamping): JsonObject {
  if ('error' in stamping) return { ...stamping.error.toWire() };
  const { time, authority } = stamping.stamp;
  return { time, authority };
}

/** Everything captured, before it is packed. */
export interface Bundle {
  readonly target: TabTarget;
  /** In the caller's words; not redacted yet. */
  readonly labels: Pick<Manifest, 'captured_by' | 'case_reference'>;
  readonly page: TabInfo;
  readonly reload: Manifest['reload'];
  /** Wall clock. */
  readonly createdAt: number;
  /** In the order of their capture; at least one. */
  readonly captured: readonly CapturedPart[];
  readonly lost: readonly LostPart[];
}

const reportsOf = ({ captured }: Bundle): readonly RedactionReport[] =>
  captured.flatMap(({ report }) => report ?? []);

/** The manifest of a bundle; the page's own texts are redacted. */
export function composeManifest(
  { bridge, redactor, version }: EvidenceServices,
  bundle: Bundle,
): CleanManifest {
  const { captured, lost } = bundle;
  const browser = bridge.browsers().find(({ id }) => id === bundle.target.browser);
  const { page, labels, reload, notes, messages } = redactor.value({
    page: { url: bundle.page.url, title: bundle.page.title },
    labels: bundle.labels,
    reload: { error: bundle.reload?.error ?? null },
    notes: captured.map(({ entry }) => entry.notes),
    messages: lost.map(({ entry }) => entry.message),
  });
  const parts = captured.map(({ entry }, at) => ({ ...entry, notes: [...(notes[at] ?? [])] }));
  const failed = lost.map(({ entry }, at) => ({ ...entry, message: messages[at] ?? clean`` }));
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    created_at: new Date(bundle.createdAt).toISOString(),
    tab: formatTabId(bundle.target),
    url: page.url,
    title: page.title,
    captured_by: labels.captured_by,
    case_reference: labels.case_reference,
    reload: bundle.reload && { ...bundle.reload, ...reload },
    versions: {
      server: version,
      extension: browser?.extensionVersion ?? 'unknown',
      host: browser?.hostVersion ?? 'unknown',
      browser: browser === undefined ? 'unknown' : `${browser.facts.name} ${browser.facts.version}`,
      wire: browser?.wire ?? 0,
    },
    parts,
    failed,
    redaction: {
      enabled: redactor.enabled,
      ...countsOf(new ReportSum(...reportsOf(bundle))),
      not_redacted: parts.filter(({ redacted }) => redacted === null).map(({ name }) => name),
    },
    parts_sha256: hashOfParts(parts),
  };
}
