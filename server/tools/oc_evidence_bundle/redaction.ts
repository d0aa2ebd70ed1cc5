import type { CleanPayload, RawPayload, RedactionReport } from '../../core/result.ts';
import type { Redactor } from '../../core/services.ts';

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

/** Redacts the pieces of one part, and adds up what was done to them. */
export class PartRedaction {
  readonly #redactor: Redactor;
  readonly #reports: (() => RedactionReport)[] = [];

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** False with `--no-sanitize-content` and without `--secrets`. */
  get isEnabled(): boolean {
    return this.#redactor.enabled || this.#redactor.hasKnownSecrets;
  }

  redact(raw: RawPayload): CleanPayload {
    const { payload, report } = this.#redactor.payload(raw);
    this.#reports.push(report);
    return payload;
  }

  /** Complete once the pieces were consumed. */
  report(): RedactionReport {
    return addReports(this.#reports.map((report) => report()));
  }
}
