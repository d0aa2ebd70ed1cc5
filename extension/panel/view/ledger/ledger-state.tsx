import type { JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import type { LedgerStore } from '../../feed/home-lists.ts';
import type { LedgerStrings } from '../../words/ledger.ts';

interface Props {
  readonly ledger: LedgerStore;
  readonly words: LedgerStrings;
  readonly command: string;
}

/** Whether the ledger is as it was written, and how a person makes sure of it. */
export function LedgerState({ ledger, words, command }: Props): JSX.Element {
  const isIntact = ledger.isIntact.value;
  const [kind, icon, text] =
    isIntact === null
      ? (['checking', 'busy', words.checking] as const)
      : isIntact
        ? (['intact', 'good', words.intact] as const)
        : (['broken', 'bad', words.broken] as const);
  const verify = `${command} ledger verify`;
  return (
    <section class={`ledger-state ${kind}`} aria-label={words.title}>
      <p role={isIntact === false ? 'alert' : 'status'}>
        <Icon name={icon} /> {text}
      </p>
      {isIntact === false && (
        <ul>
          {ledger.problems.value.map((problem) => (
            <li key={problem}>
              <bdi>{reveal(problem)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {isIntact === false && ledger.isShorter.value && (
        <p>
          {words.shorter}{' '}
          <button type="button" class="small" onClick={() => void ledger.accept()}>
            {words.accept}
          </button>
        </p>
      )}
      <details>
        <summary>{words.verify}</summary>
        <code>{verify}</code> <CopyButton text={verify} label={verify} />
      </details>
    </section>
  );
}
