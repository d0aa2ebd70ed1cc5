import { Button } from './button.tsx';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import { formatSize } from '../../words/format.ts';
import { useWords } from '../../words/en/components.ts';

/** Lines shown at first. */
const SHOWN_LINES = 200;
/** Indentation, kind of change, and an element's ref. */
const LINE = /^(?<indent>\s*)(?<change>[+~-] )?(?<ref>e\d+ )?(?<text>.*)$/u;
const CHANGES: Readonly<Record<string, string>> = { '+ ': 'added', '- ': 'removed', '~ ': 'changed' };

interface Props {
  readonly text: string;
  readonly label: string;
  /** Lines begin with the kind of change. */
  readonly isDiff?: boolean;
  /** If unset, a button shows the rest of a long text. */
  readonly isWhole?: boolean;
}

/** Lines of a snapshot, with the refs of elements. */
export function PageLines({ text, label, isDiff = false, ...place }: Props): JSX.Element {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const isWhole = place.isWhole === true || isOpen;
  const lines = text.replace(/\n+$/, '').split('\n');
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  return (
    <>
      <pre class="f-lines" tabIndex={0} role="group" aria-label={label} dir="ltr">
        {shown.map((line, at) => (
          <Line key={at} line={line} isDiff={isDiff} />
        ))}
      </pre>
      {shown.length < lines.length && (
        <Button onClick={() => setOpen(true)}>{words.showAll(formatSize(text.length))}</Button>
      )}
    </>
  );
}

function Line({ line, isDiff }: { readonly line: string; readonly isDiff: boolean }): JSX.Element {
  const { indent = '', change = '', ref = '', text = '' } = LINE.exec(line)?.groups ?? { text: line };
  const kind = isDiff ? (CHANGES[change] ?? '') : '';
  return (
    <span class={`f-line ${kind}`}>
      {indent.replaceAll('\t', '  ')}
      {change}
      {ref !== '' && <span class="f-ref">{ref}</span>}
      <bdi>{reveal(text)}</bdi>
      {'\n'}
    </span>
  );
}
