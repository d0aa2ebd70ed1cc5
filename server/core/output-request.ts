import { LIMITS } from '../../shared/limits.ts';
import type { OutputMode } from '../../shared/output/mode.ts';
import type { ToolManifest } from '../../shared/tools/manifest.ts';

/**
 * How the output of one call is delivered. {@link resolveOutput} decides it once, from validated
 * arguments; it travels on the call, and every other place reads it.
 */
export interface OutputRequest {
  readonly mode: OutputMode;
  /** The limit of `auto`, bytes. */
  readonly inlineLimitBytes: number;
}

/** Resolves how a call's output is delivered, from its validated arguments and the server's default. */
export function resolveOutput(
  manifest: Pick<ToolManifest, 'spills'>,
  args: Readonly<Record<string, unknown>>,
  modeDefault: OutputMode,
): OutputRequest {
  if (!manifest.spills) return { mode: 'inline', inlineLimitBytes: LIMITS.outputInlineLimitBytes };
  const mode = args['output_mode'];
  const limit = args['output_inline_limit_bytes'];
  return {
    mode: mode === 'inline' || mode === 'handle' || mode === 'auto' ? mode : modeDefault,
    inlineLimitBytes: typeof limit === 'number' ? limit : LIMITS.outputInlineLimitBytes,
  };
}

/** Most bytes that are written inline; what is larger is stored. -1 stores an empty payload too. */
export function maxInlineBytes({ mode, inlineLimitBytes }: OutputRequest): number {
  if (mode === 'handle') return -1;
  if (mode === 'inline') return LIMITS.outputInlineMaxBytes;
  return Math.min(inlineLimitBytes, LIMITS.outputInlineMaxBytes);
}

/** Whether a handle was asked for, now that the size of the output is known. */
export function asksForHandle(request: OutputRequest, sizeBytes: number): boolean {
  return request.mode !== 'inline' && sizeBytes > maxInlineBytes(request);
}
