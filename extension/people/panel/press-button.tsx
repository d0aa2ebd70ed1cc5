import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { INERT_MS, type ShownQuestion } from '../protocol.ts';
import { AgentText } from '../../ui/quoted.tsx';

interface PressProps {
  readonly id: string;
  readonly class?: string;
  /** A press that began on another question does not answer this one. */
  readonly about: string;
  readonly isLive: boolean;
  /** Disabled while true, though the other buttons are live. */
  readonly isBlocked?: boolean;
  /** Enter does nothing: it may end a line that was typed for another window. */
  readonly ignoresEnter?: boolean;
  readonly 'aria-describedby'?: string;
  readonly onPress: () => void;
  readonly children: string;
}

/**
 * A button that decides: only a person's press that began on it while it was live counts.
 *
 * A press that began before the button was live, or on the previous card, is not an answer, however long it is held:
 * it was meant for something else.
 */
export function PressButton({ about, isLive, isBlocked = false, ignoresEnter, onPress, ...own }: PressProps) {
  /** The question for which the button is held down; null if that may not be answered. */
  const press = useRef<{ of: string | null } | null>(null);
  if (!isLive && press.current !== null) press.current.of = null;
  const begin = (): void => {
    press.current = { of: isLive ? about : null };
  };
  return (
    <button
      {...own}
      type="button"
      aria-disabled={!isLive || isBlocked}
      onPointerDown={begin}
      onKeyDown={(event) => {
        // A held key repeats this event.
        if (!event.repeat) begin();
        else press.current ??= { of: null };
        if (ignoresEnter === true && event.key === 'Enter') event.preventDefault();
      }}
      onKeyUp={() => {
        if (press.current !== null) return;
        // Pressed elsewhere. Its click, if there is one, comes before anything else.
        const stray = { of: null };
        press.current = stray;
        setTimeout(() => {
          if (press.current === stray) press.current = null;
        });
      }}
      onClick={({ isTrusted }) => {
        const began = press.current;
        press.current = null;
        // A click without a press comes from an assistive tool, such as a screen reader.
        const isFresh = began === null || began.of === about;
        if (isFresh && isLive && !isBlocked && isTrusted) onPress();
      }}
    />
  );
}

/** The field for a reason, and what is sent of it: nothing while it is blank. */
export function useReason(label: string) {
  const [reason, setReason] = useState('');
  const field = (
    <input
      class="reason"
      type="text"
      maxLength={1_000}
      autocomplete="off"
      aria-label={label}
      placeholder={label}
      value={reason}
      onInput={({ currentTarget }) => setReason(currentTarget.value)}
    />
  );
  const given = reason.trim() === '' ? {} : { reason };
  return [field, given] as const;
}

/**
 * Whether buttons react: not in the first moments after the card has appeared, or after its window has come to the
 * front. A click or key in flight is not an answer.
 * @param token of the card; empty while the worker restarts
 * @param isNextToPage a click may only have been meant to focus the side panel
 */
export function useLive(token: string | null, isNextToPage: boolean): boolean {
  // A new card is drawn before its effect runs, and must not be live as the one before it was.
  const [liveToken, setLiveToken] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      clearTimeout(timer);
      setLiveToken(null);
      if (token === '') return;
      // The worker measures the same time, starting before this page received the question.
      timer = setTimeout(() => setLiveToken(token), INERT_MS);
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible') rest();
      else setLiveToken(null);
    };
    rest();
    if (!isNextToPage) window.addEventListener('focus', rest);
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', rest);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [token, isNextToPage]);
  return liveToken !== null && liveToken === token;
}

type AsksProps = Pick<ShownQuestion, 'agent'> & { readonly children: ComponentChildren };

/** Who asks, in the first line of a card. */
export const Asks = ({ agent: { name, version }, children }: AsksProps) => (
  <p class="agent">
    <b>
      <AgentText text={name} />
    </b>{' '}
    {version !== null && <AgentText text={version} />} {children}
  </p>
);
