import { join } from 'node:path';
import { SpillwayError, toSpillwayError } from '../../shared/base/errors.ts';
import { deadlineSignal } from '../../shared/base/async.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { RedactionReport } from '../core/result.ts';
import { cut } from '../../shared/base/cut.ts';
import { explainTab } from '../core/targets.ts';
import type { BundlePart, FailedPart } from './manifest.ts';
import type { PartKind, SourceRequest } from './sources.ts';
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { errnoOf, isFull } from '../core/machine/errno.ts';

/** A part on disk, as the manifest names it; its notes are not redacted yet. */
export interface CapturedPart {
  readonly entry: BundlePart;
  readonly path: string;
  readonly report: RedactionReport | null;
}

/** A part that could not be captured, and the error; its message is not redacted yet. */
export interface LostPart {
  readonly entry: FailedPart;
  readonly error: SpillwayError;
}

type CaptureRequest = Omit<SourceRequest, 'signal'> & { readonly folder: string };

const MESSAGE_UNITS = 1_000;

/**
 * Captures one part into the folder. A failure is an answer, and leaves no file; only the end of the call
 * itself throws.
 */
export async function capturePart(kind: PartKind, request: CaptureRequest): Promise<CapturedPart | LostPart> {
  const { context, services, target } = request;
  const late = (): SpillwayError =>
    new SpillwayError('timeout', `${kind.part} was not captured within ${LIMITS.evidencePartMs} ms.`, {
      hint: 'Omit this part with include, or call again when the page is idle.',
    });
  const { signal, release } = deadlineSignal(LIMITS.evidencePartMs, late, context.signal);
  try {
    return await readCapture(kind, { ...request, signal });
  } catch (thrown) {
    context.signal.throwIfAborted();
    const error = toSpillwayError(explainTab(thrown, target, context));
    const { code, hint } = error;
    const message = cut(error.message, MESSAGE_UNITS);
    const failedAt = new Date(services.clock.now()).toISOString();
    return { error, entry: { part: kind.part, code, message, hint, failed_at: failedAt } };
  } finally {
    release();
  }
}

async function readCapture(
  { part, name, type, source }: PartKind,
  request: SourceRequest & { readonly folder: string },
): Promise<CapturedPart> {
  const { services, signal, folder } = request;
  const capturedAt = services.clock.now();
  const startedAt = services.clock.monotonic();
  const { chunks, remarks, report } = await source(request);
  const path = join(folder, name);
  const { sizeBytes, sha256 } = await spool(chunks, { path, maxBytes: LIMITS.evidencePartBytes, signal });
  const notes = remarks().map((note) => cut(note, MESSAGE_UNITS));
  const redaction = report();
  const entry: BundlePart = {
    part,
    name,
    type,
    size_bytes: sizeBytes,
    sha256,
    captured_at: new Date(capturedAt).toISOString(),
    took_ms: Math.round(services.clock.monotonic() - startedAt),
    redacted: redaction === null ? null : countsOf(redaction),
    notes,
  };
  return { entry, path, report: redaction };
}

/** A report as the manifest writes it, with rules in alphabetical order. */
export function countsOf({ secrets, invisibleCharacters, instructionLike }: RedactionReport) {
  return {
    secrets: Object.fromEntries(Object.entries(secrets).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    invisible_characters: invisibleCharacters,
    instruction_like: instructionLike,
  };
}

/** @throws SpillwayError `store_full`, `store_write_failed` */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const errno = errnoOf(thrown) ?? String(thrown);
    throw isFull(thrown)
      ? new SpillwayError('store_full', `There is not enough disk space for ${path} (${errno}).`, {
          cause: thrown,
        })
      : new SpillwayError('store_write_failed', `Writing ${path} failed (${errno}).`, { cause: thrown });
  }
}

/**
 * Writes chunks to a new file (0600) and hashes them on the way. An unfinished file is removed.
 * @throws SpillwayError `part_too_large`, `store_full`, `store_write_failed`, the source's error, or the
 *   signal's reason
 */
export async function spool(
  chunks: AsyncIterable<Uint8Array>,
  {
    path,
    maxBytes,
    signal,
  }: { readonly path: string; readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const file = await onDisk(path, () => open(path, 'wx', 0o600));
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBytes)
        throw new SpillwayError('part_too_large', `It has more than ${maxBytes} bytes.`);
      hash.update(chunk);
      await onDisk(path, () => file.appendFile(chunk));
    }
    signal.throwIfAborted();
    await onDisk(path, () => file.close());
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (thrown) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw thrown;
  }
}
