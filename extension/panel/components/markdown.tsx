import { Button } from './button.tsx';
import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../words/format.ts';
import { partsOf } from './markdown-parts.ts';
import { MarkdownTree } from './markdown-tree.tsx';
import { useWords } from '../../words/en/components.ts';

/** Level of a page's highest heading, below those around it. */
export const TopLevel = createContext(3);

interface Props {
  readonly text: string;
  /** Level of the highest heading, if not the usual one. */
  readonly topLevel?: number;
  /** The number of parts to show, if the owner decides; otherwise a button shows one more each time. */
  readonly shown?: number;
  readonly onShow?: (parts: number) => void;
}

/**
 * A page's Markdown as elements. HTML is shown as text, links lead only to http and https and open through the actions
 * of the place, and images are replaced by their alternative text.
 */
export function Markdown({ text, ...place }: Props): JSX.Element {
  const words = useWords();
  const inPlace = useContext(TopLevel);
  const { topLevel = inPlace } = place;
  const parts = useMemo(() => partsOf(text), [text]);
  const [ownShown, setOwnShown] = useState(1);
  const shown = Math.min(parts.length, place.shown ?? ownShown);
  const setShown = place.onShow ?? setOwnShown;
  const newest = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  useEffect(() => {
    // The pressed button may be gone: the new content takes the focus.
    if (hasMoved.current) newest.current?.focus({ preventScroll: true });
    hasMoved.current = false;
  }, [shown]);
  const total = formatNumber(parts.length);
  return (
    <div class="c-markdown">
      {parts.slice(0, shown).map((part, at) => (
        <div
          key={at}
          ref={at === shown - 1 ? newest : null}
          {...(at === 0
            ? {}
            : { tabIndex: -1, role: 'group', 'aria-label': words.part(formatNumber(at + 1), total) })}
        >
          <MarkdownTree text={part} topLevel={topLevel} />
        </div>
      ))}
      {shown < parts.length && (
        <Button
          kind="c-more"
          onClick={() => {
            hasMoved.current = true;
            setShown(shown + 1);
          }}
        >
          {words.showPart(formatNumber(shown + 1), total)}
        </Button>
      )}
    </div>
  );
}
