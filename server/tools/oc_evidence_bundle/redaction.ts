import type { RedactionReport } from '../../core/payload.ts';

export const NO_REDACTION: RedactionReport = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };

/** What was done to several payloads, as if they were one; rules in alphabetical order. */
export function addReports(reports: readonly RedactionReport[]): RedactionReport {
  const secrets = new Map<string, number>();
  let invisibleCharacters = 0;
  let instructionLike = 0;
  for (const report of reports) {
    for (const [rule, count] of Object.entries(report.secrets))
      secrets.set(rule, (secrets.get(rule) ?? 0) + count);
    invisibleCharacters += report.invisibleCharacters;
    instructionLike += report.instructionLike;
  }
  const sorted = [...secrets].sort(([a], [b]) => (a < b ? -1 : 1));
  return { secrets: Object.fromEntries(sorted), invisibleCharacters, instructionLike };
}
