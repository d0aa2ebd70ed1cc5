import { useTexts, WordsContext } from '../../ui/words/use-texts.ts';
import { Button, codeOf, CopyButton, Icon, KeyValues, theirs } from '../../ui/kit.tsx';
import { ledgerTexts } from '../../ui/words/en/parts.ts';
import { usePanel, usePanelWords } from '../../ui/frame/panel-context.tsx';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { type ShownCall, stringOrNull, textsOf } from '../../ui/frame/lines.ts';
import { callsIn } from '../../ui/frame/timeline-store.ts';
import { formatList, formatMoment, formatNear } from '../../ui/words/format.ts';
import { toolTitle } from '../../ui/faces/faces.tsx';
import { Choices, ListPart, optionsOf } from '../../ui/frame/lists.tsx';
import { RowDetail } from '../../ui/frame/row-detail.tsx';
import { CallInspector } from '../../ui/frame/call-face.tsx';
import type { ShownLine } from '../../ui/frame/home-lists.ts';
import { wordOf } from '../../ui/call-line.tsx';
import { isObject } from '../../../shared/base/json.ts';

/** A missing one matches everything. */
type LedgerFilter = Readonly<Partial<Record<'agent' | 'kind' | 'outcome' | 'flow', string | undefined>>>;

/** Who asked, who decided, what was done and how it ended, newest first. */
export function Ledger() {
  const { ledger, timeline } = usePanel().feed;
  const timed = timeline.rows.value;
  const calls = useMemo(() => new Map(callsIn(timed).map((call) => [call.callId, call])), [timed]);
  const words = useTexts(ledgerTexts);
  useEffect(() => ledger.show(), [ledger]);
  const lines = ledger.rows.value;
  const rows = useMemo(() => rowsOf(lines), [lines]);
  const [filter, setFilter] = useState<LedgerFilter>({});
  const [selected, select] = useState<string | null>(null);
  const shown = rows.filter((row) => isLike(row, filter));
  const open = shown.find(({ key }) => key === selected) ?? null;
  const choiceOf = (of: keyof LedgerFilter, all: string, names: object = {}) => {
    const values = rows.map((row) => row[of]);
    return [of, all, optionsOf(values, (value) => nameIn(names, value))] as const;
  };
  return (
    <div class="timeline-part">
      <LedgerState />
      <ListPart
        name="ledger"
        words={words}
        store={ledger}
        filters={
          <Choices
            words={words}
            filter={filter}
            of={[
              choiceOf('agent', words.allAgents),
              choiceOf('kind', words.allKinds, words.kinds),
              choiceOf('outcome', words.allOutcomes, words.outcomes),
              choiceOf('flow', words.allLines, { flow: words.flows }),
            ]}
            onChange={(of, value) => setFilter({ ...filter, [of]: value })}
          />
        }
        count={rows.length}
        rows={shown}
        keyOf={({ key }) => key}
        selected={selected}
        onSelect={select}
        classOf={({ outcome }) => outcome ?? ''}
        end={words.lines({ count: shown.length })}
      >
        {(row) => <LineText row={row} call={row.call === null ? null : (calls.get(row.call) ?? null)} />}
      </ListPart>
      {open !== null && <LedgerDetail row={open} onClose={() => select(null)} />}
    </div>
  );
}

/** The word for a value, or the value as somebody else wrote it. */
const nameIn = (names: object, value: string): string => wordOf(names, value) ?? reveal(value);

/** `call`: the timeline's line of the same call, if it has been read. */
type LineProps = { readonly row: LedgerRow; readonly call: ShownCall | null };

function LineText({ row, call }: LineProps) {
  const words = useTexts(ledgerTexts);
  const { kind, tool, agent, where, site, outcome, subject } = row;
  const language = useContext(WordsContext);
  const about = site ?? subject;
  return (
    <>
      <span class="what">
        <b>{nameIn(words.kinds, kind)}</b>
        {call !== null && [' · ', <CallInspector call={call} />]}
        {call === null && tool !== null && <span class="tool"> · {toolTitle(language, tool)}</span>}
        {agent !== null && [' · ', <bdi class="subject">{reveal(agent) || '“”'}</bdi>]}
      </span>
      <span class={`quiet tiny ${outcome ?? ''}`}>{outcome && nameIn(words.outcomes, outcome)}</span>
      <span class="sub quiet clip tiny">
        {formatNear(row.at, Date.now())}
        {where !== null && ` · ${nameIn(words.places, where)}`}
        {about !== null && [
          ' · ',
          theirs(row.sources.length === 0 ? about : [row.sources.join(', '), about].map(bare).join(' → ')),
        ]}
      </span>
    </>
  );
}

const ICONS = { checking: 'busy', intact: 'good', broken: 'bad' } as const;

function LedgerState() {
  const { feed, state } = usePanel();
  const { ledger } = feed;
  const words = useTexts(ledgerTexts);
  const verdict = ledger.verdict.value;
  const verify = `${state.own.command ?? 'spillway'} ledger verify`;
  if (verdict === null) return <></>;
  return (
    <section class={`ledger-state ${verdict}`} aria-label={words.title}>
      <p class="cluster" role={verdict === 'broken' ? 'alert' : 'status'}>
        <Icon name={ICONS[verdict]} /> {words[verdict]}
      </p>
      {verdict === 'broken' && (
        <ul class="marked">
          {ledger.problems.value.map((problem) => (
            <li key={problem}>{theirs(problem)}</li>
          ))}
        </ul>
      )}
      {verdict === 'broken' && ledger.isShorter.value && (
        <p>
          {words.shorter}{' '}
          {state.isPanel && <Button onClick={() => void ledger.accept()}>{words.accept}</Button>}
        </p>
      )}
      <details>
        <summary>{words.verify}</summary>
        <code>{verify}</code> <CopyButton text={verify} label={verify} />
      </details>
    </section>
  );
}

/** All facts of one line. */
function LedgerDetail({ row, onClose }: { readonly row: LedgerRow; readonly onClose: () => void }) {
  const { risks: names, scopes } = usePanelWords();
  const words = useTexts(ledgerTexts);
  const { kind, where, outcome, scope, risks } = row;
  return (
    <RowDetail title={nameIn(words.kinds, kind)} onClose={onClose}>
      <KeyValues
        rows={[
          [words.time, formatMoment(row.at)],
          [words.agent, theirs(row.agent)],
          [words.tool, theirs(row.tool)],
          [words.decided, where && nameIn(words.places, where)],
          [words.outcome, outcome && nameIn(words.outcomes, outcome)],
          [words.error, codeOf(row.code)],
          [words.sources, row.sources.length === 0 ? null : theirs(row.amounts.join(', '))],
          [words.site, theirs(row.site)],
          [words.subject, theirs(row.subject)],
          [words.risks, risks.length === 0 ? null : formatList(risks.map((risk) => nameIn(names, risk)))],
          [words.scope, scope && nameIn(scopes, scope)],
          [words.call, codeOf(row.call)],
          [words.session, codeOf(row.session)],
          [words.line, codeOf(row.place)],
        ]}
      />
    </RowDetail>
  );
}

/** A ledger line for people: an act together with its outcome. */
type LedgerRow = ReturnType<typeof rowOf>;

const memberOf = (value: unknown, name: string): string | null =>
  isObject(value) ? stringOrNull(value[name]) : null;

const ledgerLineKey = (home: string, chain: string, seq: number): string => `${home} ${chain}:${seq}`;

/** The key of the act that a line is the outcome of. */
function actOf({ home, line }: ShownLine): string | null {
  const of = line['of'];
  if (line.kind !== 'outcome' || !isObject(of)) return null;
  const { chain, seq } = of;
  return typeof chain === 'string' && typeof seq === 'number' ? ledgerLineKey(home, chain, seq) : null;
}

/** Lines as rows, newest first. An act's outcome is on its row once both have been read. */
function rowsOf(lines: readonly ShownLine[]): readonly LedgerRow[] {
  const ends = new Map(lines.map((shown) => [actOf(shown), shown.line]));
  const keys = new Set<string | null>(
    lines.map(({ home, line }) => ledgerLineKey(home, line.chain, line.seq)),
  );
  return lines.filter((shown) => !keys.has(actOf(shown))).map((shown) => rowOf(shown, ends));
}

function rowOf({ home, line }: ShownLine, ends: ReadonlyMap<string | null, ShownLine['line']>) {
  const { agent, decided, site, tool, scope, subject, call_id: call, risks, chain, seq } = line;
  const key = ledgerLineKey(home, chain, seq);
  const { outcome, code } = ends.get(key) ?? line;
  return {
    key,
    at: Date.parse(line.ts),
    kind: line.kind,
    agent: memberOf(agent, 'name'),
    session: memberOf(agent, 'client_session'),
    where: memberOf(decided, 'where'),
    site: stringOrNull(site),
    tool: stringOrNull(tool),
    outcome: stringOrNull(outcome),
    code: stringOrNull(code),
    scope: stringOrNull(scope),
    subject: stringOrNull(subject),
    call: stringOrNull(call),
    risks: textsOf(risks),
    ...flowOf(line),
    /** Its position in the files: `chain:seq`. */
    place: `${chain}:${seq}`,
  };
}

const bare = (sites: string): string => sites.replaceAll(/https?:\/\//g, '');

/** From which sites text came with an act, and how much. */
function flowOf({ sources }: ShownLine['line']) {
  const all = Array.isArray(sources) ? sources.filter((one) => isObject(one)) : [];
  return {
    flow: all.length === 0 ? null : 'flow',
    sources: all.map((one) => memberOf(one, 'site') ?? ''),
    amounts: all.map(
      (one) => `${memberOf(one, 'site') ?? ''} (${memberOf(one, 'how') ?? ''}, ${Number(one['characters'])})`,
    ),
  };
}

const isLike = (row: LedgerRow, filter: LedgerFilter): boolean =>
  (['agent', 'kind', 'outcome', 'flow'] as const).every(
    (of) => filter[of] === undefined || row[of] === filter[of],
  );
