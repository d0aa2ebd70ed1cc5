import type { JSX } from 'preact';

type SelectProps = Omit<JSX.IntrinsicElements['select'], 'onChange' | 'ref'> & {
  readonly options: readonly (readonly [value: string, name: string, lang?: string])[];
  readonly onChange: (value: string) => void;
};

/** One of several values. */
export const Select = ({ options, onChange, ...shown }: SelectProps) => (
  <select {...shown} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([value, name, lang]) => (
      <option key={value} value={value} lang={lang}>
        {name}
      </option>
    ))}
  </select>
);
