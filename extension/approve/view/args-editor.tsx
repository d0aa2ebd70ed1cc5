import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import type { ShownQuestion } from '../protocol.ts';
import type { Strings } from '../words/strings.ts';
import { ToolIntervention } from './tool-intervention.tsx';
import type { Edit } from './use-edit.ts';

interface Props {
  readonly question: ShownQuestion;
  readonly strings: Strings;
  readonly edit: Edit;
}

/** The arguments of a call: as they are, or in fields where a person may change them. */
export function ArgsEditor({ question, strings, edit }: Props): JSX.Element {
  const { card } = strings;
  const { args, tool } = question;
  return (
    <details class="args">
      <summary>
        {card.argsFor(reveal(tool))}
        {edit.isEdited && <span class="mark">{card.edited}</span>}
      </summary>
      {args === null ? (
        <p class="quiet">{card.argsTooLarge}</p>
      ) : edit.text === null ? (
        <>
          <p class="quiet">{card.argsFixed}</p>
          <pre tabIndex={0} role="group" aria-label={card.args}>
            {reveal(JSON.stringify(args, null, 2)).replaceAll('⏎', '\n')}
          </pre>
        </>
      ) : (
        <Fields tool={tool} edit={edit} strings={strings} />
      )}
    </details>
  );
}

interface FieldsProps {
  readonly tool: string;
  readonly edit: Edit;
  readonly strings: Strings;
}

/** The tool's own fields, and all arguments as text. */
function Fields({ tool, edit, strings }: FieldsProps): JSX.Element {
  const { card } = strings;
  return (
    <>
      <p class="quiet">{card.argsEdit}</p>
      <ToolIntervention tool={tool} edit={edit} strings={strings} />
      <details class="raw">
        <summary>{card.argsText}</summary>
        <TextField edit={edit} strings={strings} />
      </details>
      {edit.isEdited && (
        <button type="button" class="plain" onClick={edit.reset}>
          {card.reset}
        </button>
      )}
    </>
  );
}

function TextField({ edit, strings: { card } }: Omit<FieldsProps, 'tool'>): JSX.Element {
  const id = useId();
  const { form = 'json', text = '' } = edit.text ?? {};
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
        aria-describedby={edit.textProblem === null ? undefined : `${id}-problem`}
        aria-invalid={edit.textProblem !== null}
        onInput={(event) => edit.setText(event.currentTarget.value)}
      />
      {edit.textProblem !== null && (
        <p id={`${id}-problem`} class="problem" role="alert">
          {edit.textProblem}
        </p>
      )}
    </>
  );
}
