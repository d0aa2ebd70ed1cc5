import { Button } from './button.tsx';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './marks.tsx';
import { useWords } from '../../words/en/components.ts';
import { formatSize } from '../../words/format.ts';
import { revealLines, startOf } from './text.ts';

interface CopyButtonProps {
  readonly text: string;
  /** The label of the button. Default: Copy. */
  readonly name?: string;
  readonly label?: string;
}

/** Copies a text, and shows whether it worked. */
export function CopyButton({ text, name, label }: CopyButtonProps): JSX.Element {
  const words = useWords();
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy');
  const copy = async (): Promise<void> => {
    setState((await copyText(text)) ? 'copied' : 'notCopied');
  };
  return (
    <>
      <Button title={label} onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'good' : 'copy'} />
        {state === 'copy' && name !== undefined ? name : words[state]}
      </Button>
      <span class="c-unseen" role="status">
        {state === 'copy' ? '' : words[state]}
      </span>
    </>
  );
}

/** A host's frame lacks clipboard permission, but may still copy a selection: that is tried first. */
async function copyText(text: string): Promise<boolean> {
  if (copySelected(text)) return true;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copySelected(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put);
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put);
  }
}

const SHOWN_UNITS = 20_000;

interface CodeBlockProps {
  readonly text: string;
  /** The name of a language, or of a field. */
  readonly label?: string;
  /** If unset, a button shows the rest of a long text. */
  readonly isWhole?: boolean;
}

/** Preformatted text with a copy button. */
export function CodeBlock({ text, label, ...place }: CodeBlockProps): JSX.Element {
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
        <Button onClick={() => setOpen(true)}>{words.showAll(formatSize(text.length))}</Button>
      )}
    </figure>
  );
}
