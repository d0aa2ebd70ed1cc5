import { usePanel } from '../panel-context.tsx';

interface Props {
  readonly isOn: boolean;
  readonly text: string;
  readonly detail: string | null;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch that works only in the side panel. */
export const Switch = ({ isOn, text, detail, onChange }: Props) => (
  <label class="switch">
    <input
      type="checkbox"
      checked={isOn}
      disabled={!usePanel().state.isPanel}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>
      {text}
      {detail !== null && <span class="quiet">{detail}</span>}
    </span>
  </label>
);
