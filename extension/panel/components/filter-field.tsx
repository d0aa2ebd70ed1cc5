import type { JSX } from 'preact';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onEnter?: () => void;
}

/** A search field with its label inside while it is empty. */
export const FilterField = ({ label, value, onInput, onEnter }: Props): JSX.Element => (
  <input
    class="c-filter"
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onInput={({ currentTarget }) => onInput(currentTarget.value)}
    onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
  />
);
