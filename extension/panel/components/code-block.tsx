import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatSize } from '../../words/format.ts';
import { CopyButton } from './copy-button.tsx';
import { revealLines, startOf } from './text.ts';
import { useWords } from './words.ts';

/** What is shown at first of a long text. */
const SHOWN_UNITS = 20_000;

interface Props {
  readonly text: string;
  /** What it is: the name of a language, or of a field. */
  readonly label?: string;
  /** Else a button shows the rest of a long text. */
  readonly isWhole?: boolean;
}

/** Text as it is written, with a way to copy it. */
export function CodeBlock({ text, label, ...place }: Props): JSX.Element {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const isWhole = place.isWhole === true || isOpen;
  const shown = isWhole ? text : startOf(text, SHOWN_UNITS);
  const name = label === undefined || label === '' ? words.code : revealLines(label);
  return (
    <figure class="c-code">
      <figcaption>
        <bdi>{name}</bdi>
        <CopyButton text={text} label={name} />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={name} dir="ltr">
        <code>{revealLines(shown)}</code>
      </pre>
      {shown.length < text.length && (
        <button type="button" class="c-button" onClick={() => setOpen(true)}>
          {words.showAll(formatSize(text.length))}
        </button>
      )}
    </figure>
  );
}
