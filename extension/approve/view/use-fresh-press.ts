import { useRef } from 'preact/hooks';

/** Events of a button that begin a press, and whether its click is the end of one that was meant for this card. */
interface FreshPress {
  readonly onPointerDown: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeyUp: () => void;
  /** Asked once, by the click. One that no press began is a tool's that presses for a person, such as a screen reader. */
  readonly isFresh: () => boolean;
}

/**
 * A press that began before the buttons were live, or on the card before, is not an answer, however long it is held: it was
 * on its way to something else.
 */
export function useFreshPress(question: string, isLive: boolean): FreshPress {
  /** The question for which the button is held down; null for none that may be answered. */
  const press = useRef<{ of: string | null } | null>(null);
  if (!isLive && press.current !== null) press.current.of = null;
  const begin = (): void => {
    press.current = { of: isLive ? question : null };
  };
  return {
    onPointerDown: begin,
    onKeyDown: ({ repeat }) => {
      // A key that is held sends this again and again.
      if (!repeat) begin();
      else press.current ??= { of: null };
    },
    onKeyUp: () => {
      if (press.current !== null) return;
      // It went down elsewhere. Its click, if there is one, comes before anything else.
      const stray = { of: null };
      press.current = stray;
      setTimeout(() => {
        if (press.current === stray) press.current = null;
      });
    },
    isFresh: () => {
      const began = press.current;
      press.current = null;
      return began === null || began.of === question;
    },
  };
}
