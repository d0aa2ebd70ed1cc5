import type { TriedStrategy } from '../../../shared/extract/request.ts';
import { UNSURE } from '../../../shared/extract/confidence.ts';
import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { cut } from '../../../shared/cut.ts';
import type { FinishedRecord } from './record.ts';

const FieldTally = z.object({
  missing: z.number(),
  required: z.boolean(),
  invalid: z.number(),
  /** The first invalid one. */
  example: z.object({ record: z.number(), reason: z.string() }).nullable(),
});
type FieldTally = z.infer<typeof FieldTally>;

/** What {@link Tally.save} returns. */
export const SavedTally = z.object({
  records: z.number(),
  fields: z.array(z.tuple([z.string(), FieldTally])),
  strategies: z.array(z.tuple([z.string(), z.number()])),
  unsure: z.array(z.string()).default([]),
});

const REASON_UNITS = 160;
const NAMES_SHOWN = 20;
/** Paths within lists differ by number only. */
const pathOf = (field: string): string => field.replace(/\/\d+(?=\/|$)/g, '/*');
const MOST_PATHS = 200;

/** What was found and what was wrong, over all records, in the space of a few counters. */
export class Tally {
  records = 0;
  hidden = 0;
  readonly #fields = new Map<string, FieldTally>();
  readonly #strategies = new Map<string, number>();
  readonly #unsure = new Set<string>();

  add({ record, problems, found }: FinishedRecord): void {
    this.records += 1;
    for (const [name, { confidence }] of Object.entries(found.fields))
      if (confidence < UNSURE && (record[name] ?? null) !== null) this.#unsure.add(name);
    this.#strategies.set(found.strategy, (this.#strategies.get(found.strategy) ?? 0) + 1);
    for (const { field, problem, reason } of problems) {
      const path = pathOf(field);
      let tally = this.#fields.get(path);
      if (tally === undefined) {
        if (this.#fields.size >= MOST_PATHS) continue;
        this.#fields.set(path, (tally = { missing: 0, required: false, invalid: 0, example: null }));
      }
      if (problem === 'missing') {
        tally.missing += 1;
        tally.required ||= reason.startsWith('required');
      } else {
        tally.invalid += 1;
        tally.example ??= { record: this.records, reason: cut(reason, REASON_UNITS) };
      }
    }
  }

  /** What a run stores besides its items, so that a resumed run continues the counts. */
  save(): JsonObject {
    return {
      records: this.records,
      fields: [...this.#fields].map(([path, tally]) => [path, { ...tally }]),
      strategies: [...this.#strategies],
      unsure: [...this.#unsure],
    };
  }

  restore(saved: z.infer<typeof SavedTally>): void {
    this.records = saved.records;
    for (const [path, tally] of saved.fields) this.#fields.set(path, tally);
    for (const [strategy, count] of saved.strategies) this.#strategies.set(strategy, count);
    for (const name of saved.unsure) this.#unsure.add(name);
  }

  /** One sentence a field; what is required or invalid comes first. */
  notes(): string[] {
    const ordered = [...this.#fields].sort(([, a], [, b]) => weight(b) - weight(a));
    const notes = ordered.flatMap(([field, tally]) => this.#note(field, tally));
    if (this.#unsure.size > 0)
      notes.push(
        `Low confidence in ${[...this.#unsure].slice(0, NAMES_SHOWN).join(', ')}: check the values, or find selectors with html_skeleton.`,
      );
    if (this.hidden > 0) notes.push(`${this.hidden} hidden records were omitted.`);
    return notes;
  }

  #note(field: string, { missing, required, invalid, example }: FieldTally): string[] {
    const notes: string[] = [];
    const of = this.records === 1 ? '' : ` in ${missing} of ${this.records} records`;
    if (invalid > 0 && example !== null) {
      const where =
        this.records === 1
          ? ''
          : ` in ${invalid} of ${this.records} records, first in record ${example.record}`;
      notes.push(`${field}: invalid${where}: ${example.reason}.`);
    }
    if (missing > 0) notes.push(`${field}: ${required ? 'required and ' : ''}not found${of}.`);
    return notes;
  }

  state(): JsonObject {
    return {
      records: this.records,
      hidden_records: this.hidden,
      strategies: Object.fromEntries(this.#strategies),
      problems: Object.fromEntries(
        [...this.#fields].map(([field, { missing, invalid, example }]) => [
          field,
          { missing, invalid, ...(example === null ? {} : { first_invalid: { ...example } }) },
        ]),
      ),
    };
  }
}

const weight = ({ required, invalid }: FieldTally): number => (required ? 2 : 0) + (invalid > 0 ? 1 : 0);

/** What each strategy saw, for the error of a schema that nothing matched. */
export function describeTried(tried: readonly TriedStrategy[]): string {
  const parts = tried.map(({ strategy, records, coverage }) => {
    if (records === 0) return `${strategy} (none)`;
    return `${strategy} (${records} candidates, best covers ${Math.round(coverage * 100)} %)`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
