import type { ComponentChildren, JSX } from 'preact';
import { RISKS } from '../../../../shared/policy/names.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { KeyValues } from '../../components/key-values.tsx';
import { formatList, formatMoment } from '../../../words/format.ts';
import type { LedgerStrings } from '../../words/ledger.ts';
import type { PanelStrings } from '../../words/strings.ts';
import type { LedgerRow } from './ledger-lines.ts';

interface Props {
  readonly row: LedgerRow;
  readonly strings: PanelStrings;
  readonly words: LedgerStrings;
  readonly onClose: () => void;
}

/** All that one line says. */
export function LedgerDetail({ row, strings, words, onClose }: Props): JSX.Element {
  const { kind, where, outcome, scope } = row;
  const named = row.risks.map((risk) => {
    const known = RISKS.find((one) => one === risk);
    return known === undefined ? reveal(risk) : strings.kinds[known];
  });
  const scopes: Readonly<Record<string, string>> = strings.scopes;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [words.time, formatMoment(row.at)],
    [words.agent, theirs(row.agent)],
    [words.tool, theirs(row.tool)],
    [words.decided, where === null ? null : (words.places[where] ?? reveal(where))],
    [words.outcome, outcome === null ? null : (words.outcomes[outcome] ?? reveal(outcome))],
    [words.code, row.code === null ? null : <code>{reveal(row.code)}</code>],
    [words.site, theirs(row.site)],
    [words.subject, theirs(row.subject)],
    [words.risks, named.length === 0 ? null : formatList(named)],
    [words.scope, scope === null ? null : (scopes[scope] ?? reveal(scope))],
    [words.call, row.call === null ? null : <code>{reveal(row.call)}</code>],
    [words.session, row.session === null ? null : <code>{reveal(row.session)}</code>],
    [words.line, <code>{reveal(row.place)}</code>],
  ];
  return (
    <section class="detail" aria-labelledby="ledger-detail-title">
      <div class="line title">
        <h2 id="ledger-detail-title">{words.kinds[kind] ?? reveal(kind)}</h2>
        <button type="button" class="small" onClick={onClose}>
          {words.close}
        </button>
      </div>
      <KeyValues rows={facts.filter(([, value]) => value !== null)} />
    </section>
  );
}

const theirs = (text: string | null): JSX.Element | null =>
  text === null ? null : <bdi>{reveal(text)}</bdi>;
