import { Fragment, type ComponentChildren, type JSX } from 'preact';

interface Props {
  readonly rows: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}

/** Facts, one per line. Null ones are omitted. */
export function KeyValues({ rows }: Props): JSX.Element | null {
  const shown = rows.filter(([, value]) => value !== null);
  if (shown.length === 0) return null;
  return (
    <dl class="c-facts">
      {shown.map(([name, value], at) => (
        <Fragment key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
