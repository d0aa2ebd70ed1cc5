import type { JSX } from 'preact';

interface Props {
  readonly label: string;
  /** What the empty choice says. */
  readonly all: string;
  /** Empty for all. */
  readonly value: string;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly onChange: (value: string) => void;
}

/** One of several, or all. What is chosen stays there, also when nothing of it is left. */
export function Choice({ label, all, value, options, onChange }: Props): JSX.Element {
  const shown = value === '' || options.some(([id]) => id === value) ? options : [[value, value], ...options];
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{all}</option>
      {shown.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
