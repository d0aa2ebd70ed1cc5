import type { ComponentChildren } from 'preact';
import { reveal } from '../../shared/core/policy/reveal.ts';

export type Figure = readonly [name: string, value: string | null, isBad?: boolean];

/** Figures in large, each with its name. Null ones are omitted. */
export function Numbers({ all }: { readonly all: readonly Figure[] }) {
  const shown = all.filter(([, value]) => value !== null);
  const numbers = shown.map(([name, value, isBad = false]) => (
    <div key={name} class={isBad ? 'bad' : undefined}>
      <dt class="quiet">{name}</dt>
      <dd>{value}</dd>
    </div>
  ));
  return numbers.length === 0 ? null : <dl class="c-numbers">{numbers}</dl>;
}

type TableProps = { readonly table: readonly (readonly string[])[]; readonly label: string };

/** The first row is the head, the first cell of each row its name. */
export function Figures({ table: [head = [], ...rows], label }: TableProps) {
  const names = head.map((name) => <th scope="col">{name}</th>);
  const figuresOf = (cells: readonly string[]): ComponentChildren => cells.map((cell) => <td>{cell}</td>);
  return (
    <div class="c-scroll" tabIndex={0} role="group" aria-label={label}>
      <table class="c-figures">
        <caption>{label}</caption>
        <thead>
          <tr>{names}</tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...cells]) => (
            <tr>
              <th scope="row">{reveal(name)}</th>
              {figuresOf(cells)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
