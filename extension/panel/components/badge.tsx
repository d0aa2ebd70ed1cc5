import type { ComponentChildren, JSX } from 'preact';

/** What a mark says: `plain` says nothing. */
export type Tone = 'busy' | 'good' | 'bad' | 'wait' | 'off' | 'plain';

interface Props {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}

/** A word or a figure that is to be noticed, such as a status. */
export const Badge = ({ tone = 'plain', children }: Props): JSX.Element => (
  <span class={`c-badge ${tone}`}>{children}</span>
);
