import { useEffect } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { findIn } from '../../components/find-in-page.ts';

/** Names of the highlights in `outputs.css`: what is shown may have a search of its own. */
const ALL = 'output-match';
const SHOWN = 'output-match-shown';
/** Words of the panel itself. */
const OURS = 'figcaption, summary';

interface Marks {
  /** What is searched for; null while nothing is. */
  readonly text: string | null;
  /** What is shown begins with the match that a person has gone to. */
  readonly isAtMatch: boolean;
  /** Changes with what is shown. */
  readonly of: unknown;
}

/** Marks a text wherever an element shows it, also in what is loaded or opened later. The element itself is not changed. */
export function useMarks(place: { readonly current: HTMLElement | null }, marks: Marks): void {
  const { text, isAtMatch, of } = marks;
  useEffect(() => {
    const root = place.current;
    if (root === null || text === null) return;
    const mark = (): void => {
      const found = findIn(root, reveal(text)).filter(isTheirs);
      CSS.highlights.set(ALL, new Highlight(...found.slice(isAtMatch ? 1 : 0)));
      CSS.highlights.set(SHOWN, new Highlight(...found.slice(0, isAtMatch ? 1 : 0)));
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(SHOWN);
    };
  }, [place, text, isAtMatch, of]);
}

const isTheirs = ({ startContainer }: Range): boolean => startContainer.parentElement?.closest(OURS) === null;
