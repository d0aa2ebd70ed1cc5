import { addTo, firstOf, lookUp } from '../../dom/elements.ts';
import { MIN_SURE } from '../../../shared/libraries/values/coerce.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import type { FoundField, FoundRecord, Strategy } from '../../../shared/libraries/values/request.ts';
import { fits, scoreRecord, scoreSet, type Fields, type RecordSet } from './records.ts';

export interface Candidates {
  readonly sets: readonly RecordSet[];
  /** Fields requested by this strategy. */
  readonly fields: readonly FieldPlan[];
  readonly onScore: (coverage: number) => void;
}

/** A later strategy must be better by this much. */
const MARGIN = 0.02;
/** A strategy that covers this much ends the search. */
const ENOUGH = 0.97;
/** Less is chance: what layout suggests needs more evidence than what an author marked up for machines. */
const LEAST: Readonly<Partial<Record<Strategy, number>>> = {
  tables: 0.25,
  definition_lists: 0.2,
  repeated: 0.3,
};
const MIN_OF_ALL = 0.15;
const minOf = (strategy: Strategy): number => LEAST[strategy] ?? MIN_OF_ALL;
const SINGLE_OF_MANY = 0.6;
/** If one record is wanted, the first of many is rarely it. */
const FIRST_OF_MANY = 0.7;
const SAMPLE = 5;

/** The record set with the best coverage of the schema, by strategies in order; null if none fits. */
export function chooseSet(fields: readonly FieldPlan[], candidates: Iterable<Candidates>): RecordSet | null {
  let best: { set: RecordSet; score: number } | null = null;
  for (const { sets, onScore } of candidates) {
    const chosen = bestSet(fields, mergeSets(sets));
    if (chosen === null) continue;
    onScore(chosen.score);
    // A guess does not replace the caller's selectors.
    if (chosen.set.strategy === 'selectors') return chosen.set;
    if (chosen.score >= minFor(fields, chosen.set) && (best === null || chosen.score > best.score + MARGIN))
      best = chosen;
    if (best !== null && best.score >= ENOUGH) break;
  }
  return best?.set ?? null;
}

const isSaid = ({ fields }: FoundRecord, name: string): boolean =>
  (lookUp(fields, name)?.confidence ?? 0) >= MIN_SURE;

/** Records with every required field do not match by chance. */
function minFor(fields: readonly FieldPlan[], set: RecordSet): number {
  const required = fields.filter((field) => field.required);
  const [record] = required.length === 0 ? [] : set.records();
  const isComplete = record !== undefined && required.every(({ name }) => isSaid(record, name));
  return isComplete ? MIN_OF_ALL : minOf(set.strategy);
}

function bestSet(
  fields: readonly FieldPlan[],
  sets: readonly RecordSet[],
): { set: RecordSet; score: number } | null {
  let best: { set: RecordSet; score: number } | null = null;
  for (const set of sets) {
    if (set.size === 1 && !saysMost(fields, set)) continue;
    const score = scoreSet(fields, set) * (set.size === 1 ? SINGLE_OF_MANY : 1);
    if (score > 0 && (best === null || score > best.score + MARGIN)) best = { set, score };
  }
  return best;
}

/** Every page has a title: a lone record counts for a list only if it covers more than half of the schema. */
function saysMost(fields: readonly FieldPlan[], set: RecordSet): boolean {
  const required = fields.filter((field) => field.required);
  const [record] = set.records();
  if (record === undefined) return false;
  return [fields, required].every((asked) => {
    const found = asked.filter(({ name }) => isSaid(record, name));
    return found.length * 2 > asked.length || asked.length === 0;
  });
}

/** Tables with the same columns, or lists with the same labels, are one set in several places. */
function mergeSets(sets: readonly RecordSet[]): RecordSet[] {
  const merged = new Map<string | RecordSet, RecordSet[]>();
  for (const set of sets) addTo(merged, set.key ?? set, set);
  return [...merged.values()].flatMap((group): RecordSet[] => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        ...first,
        size: group.reduce((sum, { size }) => sum + size, 0),
        records: function* (): Generator<FoundRecord> {
          for (const set of group) yield* set.records();
        },
      },
    ];
  });
}

interface Single {
  readonly record: FoundRecord;
  readonly score: number;
  /** The only record of its set: its statements are about the page. */
  readonly isOnly: boolean;
}

const LAID_OUT: readonly Strategy[] = ['tables', 'definition_lists', 'detail', 'repeated'];
/** Labels describe the page wherever they are; another item's properties do not. */
const LABELLED: readonly Strategy[] = ['meta', 'tables', 'definition_lists'];

/**
 * The one record of a page: the best of all strategies, completed from the others, in order, where a field is missing
 * or does not fit the schema.
 */
export function mergeRecord(
  fields: readonly FieldPlan[],
  candidates: Iterable<Candidates>,
): FoundRecord | null {
  const singles: Single[] = [];
  for (const { sets, fields: asked, onScore } of candidates) {
    const ranked = rankRecords(asked, sets);
    const [single] = ranked;
    if (single === undefined) continue;
    onScore(single.score);
    const { strategy } = single.record;
    singles.push(...(LABELLED.includes(strategy) ? ranked : [single]));
    if (strategy !== 'selectors' && single.score >= ENOUGH) break;
  }
  // Statements about the page's subject come before a card in a list.
  const hasSubject = singles.some(
    ({ record, score }) => record.strategy === 'detail' && score >= minOf('detail'),
  );
  let best: Single | null = null;
  for (const single of singles) {
    const { strategy } = single.record;
    if (hasSubject && strategy === 'repeated' && !single.isOnly) continue;
    if (strategy === 'selectors') {
      best = single;
      break;
    }
    if (single.score >= minOf(strategy) && (best === null || single.score > best.score + MARGIN))
      best = single;
  }
  return best === null ? null : fillGaps(fields, best, singles);
}

/** The first records of each set, best first; ties keep their order. */
function rankRecords(fields: readonly FieldPlan[], sets: readonly RecordSet[]): Single[] {
  const singles: Single[] = [];
  for (const set of sets) {
    const isOnly = set.size === 1;
    for (const record of firstOf(set.records(), SAMPLE)) {
      const score = scoreRecord(fields, record) * (set.worth ?? 1) * (isOnly ? 1 : FIRST_OF_MANY);
      if (score > 0) singles.push({ record, score, isOnly });
    }
  }
  return singles.sort((a, b) => b.score - a.score);
}

function fillGaps(fields: readonly FieldPlan[], best: Single, others: readonly Single[]): FoundRecord {
  const filled: Fields = { ...best.record.fields };
  for (const field of fields) {
    const own = lookUp(filled, field.name);
    const isTaken = own !== undefined && fits(field, own, best.record.lang);
    // Of values written for people, the most certain one counts, wherever it is.
    if (isTaken && !LAID_OUT.includes(own.strategy)) continue;
    let surest: FoundField | null = isTaken ? own : null;
    for (const { record, isOnly } of others) {
      const found = record === best.record || !isOnly ? undefined : lookUp(record.fields, field.name);
      if (found === undefined || !fits(field, found, record.lang)) continue;
      if (surest === null || found.confidence > surest.confidence) surest = found;
    }
    if (surest !== null) filled[field.name] = surest;
  }
  return { ...best.record, fields: filled };
}
