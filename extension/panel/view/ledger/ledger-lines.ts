import { isObject } from '../../../../shared/json.ts';
import type { ShownLine } from '../../feed/home-lists.ts';

/** A line of the ledger as a person reads it: an act together with how it ended. */
export interface LedgerRow {
  readonly key: string;
  readonly at: number;
  readonly kind: string;
  readonly agent: string | null;
  readonly session: string | null;
  readonly where: string | null;
  readonly site: string | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly scope: string | null;
  readonly subject: string | null;
  readonly call: string | null;
  readonly risks: readonly string[];
  /** Where it is in the files: `chain:seq`. */
  readonly place: string;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const memberOf = (value: unknown, name: string): string | null =>
  isObject(value) ? textOf(value[name]) : null;

const placeOf = (chain: string, seq: number): string => `${chain}:${seq}`;

/** The place of the act that a line is the outcome of. */
function actOf({ line }: ShownLine): string | null {
  const of = line['of'];
  if (line.kind !== 'outcome' || !isObject(of)) return null;
  const { chain, seq } = of;
  return typeof chain === 'string' && typeof seq === 'number' ? placeOf(chain, seq) : null;
}

/** Lines as rows, newest first. The outcome of an act is on its row, as far as both have been read. */
export function rowsOf(lines: readonly ShownLine[]): readonly LedgerRow[] {
  const places = new Set(lines.map(({ home, line }) => `${home} ${placeOf(line.chain, line.seq)}`));
  const ends = new Map<string, ShownLine>();
  for (const shown of lines) {
    const act = actOf(shown);
    if (act !== null) ends.set(`${shown.home} ${act}`, shown);
  }
  return lines.flatMap((shown) => {
    const act = actOf(shown);
    if (act !== null && places.has(`${shown.home} ${act}`)) return [];
    return [rowOf(shown, ends.get(`${shown.home} ${placeOf(shown.line.chain, shown.line.seq)}`)?.line)];
  });
}

function rowOf({ home, line }: ShownLine, end: ShownLine['line'] | undefined): LedgerRow {
  const member = (name: string): unknown => line[name];
  const risks = member('risks');
  const place = placeOf(line.chain, line.seq);
  return {
    key: `${home} ${place}`,
    at: Date.parse(line.ts),
    kind: line.kind,
    agent: memberOf(member('agent'), 'name'),
    session: memberOf(member('agent'), 'client_session'),
    where: memberOf(member('decided'), 'where'),
    site: textOf(member('site')),
    tool: textOf(member('tool')),
    outcome: textOf((end ?? line)['outcome']),
    code: textOf((end ?? line)['code']),
    scope: textOf(member('scope')),
    subject: textOf(member('subject')),
    call: textOf(member('call_id')),
    risks: Array.isArray(risks) ? risks.filter((risk) => typeof risk === 'string') : [],
    place,
  };
}

/** What a person wants to see; an empty text is all. */
export interface LedgerFilter {
  readonly agent: string;
  readonly kind: string;
  readonly outcome: string;
}

export const isLike = (row: LedgerRow, { agent, kind, outcome }: LedgerFilter): boolean =>
  (agent === '' || row.agent === agent) &&
  (kind === '' || row.kind === kind) &&
  (outcome === '' || row.outcome === outcome);
