import type { JsonValue } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import type { RedactionReport } from '../core/result.ts';
import type { Redactor } from '../core/services.ts';
import { cleanBytes, cleanJsonText, type CleanBytes } from '../redact/clean.ts';
import type { RunTally } from './records.ts';

async function* each(items: readonly JsonValue[]): AsyncGenerator<JsonValue, void> {
  yield* items;
}

/** Redacted items as bytes, and what was done to them. */
export async function redactItems(
  redactor: Redactor,
  items: readonly JsonValue[],
): Promise<{ readonly lines: CleanBytes[]; readonly redacted: RedactionReport | null }> {
  if (items.length === 0) return { lines: [], redacted: null };
  const { payload, report } = redactor.payload({ kind: 'items', mimeType: MIME.json, items: each(items) });
  const lines: CleanBytes[] = [];
  if (payload.kind === 'items')
    for await (const item of payload.items) lines.push(cleanBytes(cleanJsonText(item ?? null)));
  return { lines, redacted: report() };
}

/** Counts of a tally with those of one more commit. */
export function addRedaction(
  tally: RunTally['redacted'],
  report: RedactionReport | null,
): RunTally['redacted'] {
  if (report === null) return tally;
  const secrets = { ...tally.secrets };
  for (const [kind, count] of Object.entries(report.secrets)) secrets[kind] = (secrets[kind] ?? 0) + count;
  return {
    secrets,
    invisible_characters: tally.invisible_characters + report.invisibleCharacters,
    instruction_like: tally.instruction_like + report.instructionLike,
  };
}

/** The tally's counts as a result reports them. */
export function toReport(tally: RunTally['redacted']): RedactionReport {
  return {
    secrets: tally.secrets,
    invisibleCharacters: tally.invisible_characters,
    instructionLike: tally.instruction_like,
  };
}
