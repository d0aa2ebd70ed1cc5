import type { JSX } from 'preact';
import { useFreshPress } from './use-fresh-press.ts';

interface PressProps {
  readonly id: string;
  readonly class?: string;
  /** What a press answers: one that began on another is not an answer to this. */
  readonly about: string;
  readonly isLive: boolean;
  /** Says no while true, although the other buttons are live. */
  readonly isBlocked?: boolean;
  /** Enter does nothing: it may end a line that was meant for another window. */
  readonly ignoresEnter?: boolean;
  readonly 'aria-describedby'?: string;
  readonly onPress: () => void;
  readonly children: string;
}

/** A button that decides: only a person's press that began on it while it was live counts. */
export function PressButton({
  about,
  isLive,
  isBlocked = false,
  ignoresEnter = false,
  onPress,
  ...shown
}: PressProps): JSX.Element {
  const { isFresh, ...press } = useFreshPress(about, isLive);
  return (
    <button
      {...shown}
      type="button"
      aria-disabled={!isLive || isBlocked}
      onPointerDown={press.onPointerDown}
      onKeyDown={(event) => {
        press.onKeyDown(event);
        if (ignoresEnter && event.key === 'Enter') event.preventDefault();
      }}
      onKeyUp={press.onKeyUp}
      onClick={(event) => {
        if (isFresh() && isLive && !isBlocked && event.isTrusted) onPress();
      }}
    />
  );
}

interface ReasonProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** What a person writes to the agent. */
export const ReasonField = ({ label, value, onChange }: ReasonProps): JSX.Element => (
  <input
    class="reason"
    type="text"
    maxLength={1_000}
    autocomplete="off"
    aria-label={label}
    placeholder={label}
    value={value}
    onInput={(event) => onChange(event.currentTarget.value)}
  />
);
