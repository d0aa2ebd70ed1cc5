import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { useWords } from './words.ts';

interface Props {
  readonly text: string;
  /** What the button says; else that it copies. */
  readonly name?: string;
  /** What is copied, for a screen reader that meets several. */
  readonly label?: string;
}

/** Copies a text, and says whether it did. */
export function CopyButton({ text, name, label }: Props): JSX.Element {
  const words = useWords();
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy');
  const copy = async (): Promise<void> => {
    setState((await copyText(text)) ? 'copied' : 'notCopied');
  };
  return (
    <>
      <button type="button" class="c-button" title={label} onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'good' : 'copy'} />
        {state === 'copy' && name !== undefined ? name : words[state]}
      </button>
      <span class="c-unseen" role="status">
        {state === 'copy' ? '' : words[state]}
      </span>
    </>
  );
}

/** A frame of a host lacks the permission of the clipboard, and may copy what is selected nevertheless: that is tried first. */
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
