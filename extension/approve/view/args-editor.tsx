import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { ShownQuestion } from '../protocol.ts';
import type { ArgsText } from '../words/edited-args.ts';
import type { Strings } from '../words/strings.ts';

interface Props {
  readonly question: ShownQuestion;
  readonly strings: Strings;
  /** What is in the field; null where nothing can be edited. */
  readonly text: ArgsText | null;
  readonly isEdited: boolean;
  readonly problem: string | null;
  readonly onEdit: (text: string) => void;
  readonly onReset: () => void;
}

/** The arguments of a call: as they are, or in a field where a person may change them. */
export function ArgsEditor({ question, strings, ...editor }: Props): JSX.Element {
  const { card } = strings;
  const { args, tool } = question;
  return (
    <details class="args">
      <summary>
        {card.argsFor(reveal(tool))}
        {editor.isEdited && <span class="mark">{card.edited}</span>}
      </summary>
      {args === null ? (
        <p class="quiet">{card.argsTooLarge}</p>
      ) : editor.text === null ? (
        <>
          <p class="quiet">{card.argsFixed}</p>
          <pre tabIndex={0} role="group" aria-label={card.args}>
            {reveal(JSON.stringify(args, null, 2)).replaceAll('⏎', '\n')}
          </pre>
        </>
      ) : (
        <Field {...editor} text={editor.text} strings={strings} />
      )}
    </details>
  );
}

function Field({
  strings: { card },
  text: { form, text },
  isEdited,
  problem,
  onEdit,
  onReset,
}: Omit<Props, 'question' | 'text'> & { readonly text: ArgsText }): JSX.Element {
  const id = useId();
  return (
    <>
      <label for={id}>{form === 'lines' ? card.stepsLabel : card.args}</label>
      <textarea
        id={id}
        rows={Math.min(12, Math.max(3, text.split('\n').length + 1))}
        spellcheck={false}
        autocomplete="off"
        dir="ltr"
        value={text}
        aria-describedby={`${id}-note`}
        aria-invalid={problem !== null}
        onInput={(event) => onEdit(event.currentTarget.value)}
      />
      <p
        id={`${id}-note`}
        class={problem === null ? 'quiet' : 'problem'}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? card.argsEdit}
      </p>
      {isEdited && (
        <button type="button" class="plain" onClick={onReset}>
          {card.reset}
        </button>
      )}
    </>
  );
}
