import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { formatNumber } from '../../words/format.ts';
import { Button } from './button.tsx';
import { Icon } from './marks.tsx';
import { useWords } from '../../words/en/components.ts';

interface Opened {
  /** Of the detail. */
  readonly id: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** A detail that is closed at first. */
export function useOpen(): Opened {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return { id, isOpen, toggle: () => setOpen(!isOpen) };
}

interface OpenerProps extends Opened {
  readonly label?: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** The button that opens a detail. */
export const Opener = ({ id, isOpen, toggle, label, title, children }: OpenerProps): JSX.Element => (
  <button
    type="button"
    class="c-opener"
    aria-expanded={isOpen}
    aria-controls={isOpen ? id : undefined}
    aria-label={label}
    title={title}
    onClick={toggle}
  >
    <Icon name="closed" size={12} />
    {children}
  </button>
);

/** The first items of a list, and the button that shows all or more. */
export function useShown<T>(
  all: readonly T[],
  first: number,
  more?: (count: string) => string,
): readonly [shown: readonly T[], button: JSX.Element | false] {
  const words = useWords();
  const [most, setMost] = useState(first);
  const left = all.length - most;
  return [
    all.slice(0, most),
    left > 0 && (
      <Button kind="c-more" onClick={() => setMost(more === undefined ? Infinity : most + first)}>
        {more === undefined ? words.all(formatNumber(all.length)) : more(formatNumber(Math.min(first, left)))}
      </Button>
    ),
  ];
}
