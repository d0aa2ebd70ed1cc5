import { join } from 'node:path';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { deadlineSignal } from '../../../shared/async/wait.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { RedactionReport } from '../../core/result.ts';
import { cut } from '../../../shared/cut.ts';
import { explainTab } from '../../core/targets.ts';
import type { BundlePart, FailedPart } from './manifest.ts';
import type { PartKind } from './parts.ts';
import type { SourceRequest } from './sources.ts';
import { spool } from './spool.ts';

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

export type CaptureRequest = Omit<SourceRequest, 'signal'> & { readonly folder: string };

const MESSAGE_UNITS = 1_000;

/**
 * Captures one part into the folder. A failure is an answer, and nothing of the part stays; only the
 * end of the call itself throws.
 */
export async function capturePart(kind: PartKind, request: CaptureRequest): Promise<CapturedPart | LostPart> {
  const { context, services, target } = request;
  const late = (): SpillwayError =>
    new SpillwayError('timeout', `${kind.part} was not captured within ${LIMITS.evidencePartMs} ms.`, {
      hint: 'Omit this part with include, or call again when the page is idle.',
    });
  const { signal, release } = deadlineSignal(LIMITS.evidencePartMs, late, context.signal);
  try {
    return await read(kind, { ...request, signal });
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

async function read(
  { part, name, type, source }: PartKind,
  request: SourceRequest & { readonly folder: string },
): Promise<CapturedPart> {
  const { services, signal, folder } = request;
  const capturedAt = services.clock.now();
  const startedAt = services.clock.monotonic();
  const { chunks, remarks, report } = await source(request);
  const path = join(folder, name);
  const options = { path, maxBytes: LIMITS.evidencePartBytes, signal };
  const { sizeBytes, sha256 } = await spool(chunks, options);
  const notes = (await remarks()).map((note) => cut(note, MESSAGE_UNITS));
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

/** A report as the manifest writes it. */
export function countsOf({ secrets, invisibleCharacters, instructionLike }: RedactionReport): {
  secrets: Record<string, number>;
  invisible_characters: number;
  instruction_like: number;
} {
  return {
    secrets: { ...secrets },
    invisible_characters: invisibleCharacters,
    instruction_like: instructionLike,
  };
}
