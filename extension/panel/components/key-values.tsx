import { Fragment, type ComponentChildren, type JSX } from 'preact';

interface Props {
  readonly rows: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}

/** Facts, a line each. */
export const KeyValues = ({ rows }: Props): JSX.Element => (
  <dl class="c-facts">
    {rows.map(([name, value], at) => (
      <Fragment key={at}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
