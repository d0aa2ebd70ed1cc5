import { useId, useMemo, useState } from 'preact/hooks';
import { hides } from '../../ui/reveal-parts.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { Quoted } from '../../ui/quoted.tsx';
import type { ShownQuestion } from '../protocol.ts';
import { FaceBoundary, useLoaded } from '../../ui/face-boundary.tsx';
import type { Intervention } from '../../ui/faces/face.ts';
import { isJsonList, isObject, type JsonObject } from '../../../shared/base/json.ts';
import { stepProblem } from '../../../shared/act/parse-step.ts';
import { ARGUMENT_UNITS } from '../../../shared/core/policy/names.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { useCardWords, type CardWords } from '../../ui/words/en/card.ts';

type OfEdit = { readonly edit: Edit };

/** The arguments of a call: read-only, or in the tool's own fields and as text, where a person may change them. */
export function ArgsEditor({ question, edit }: OfEdit & { readonly question: ShownQuestion }) {
  const { card } = useCardWords();
  const { args, tool } = question;
  const id = useId();
  if (args === null) return null;
  return (
    <details class="args">
      <summary>
        {card.argsFor({ tool: reveal(tool) })}
        {edit.isEdited && <b class="busy"> {card.edited}</b>}
      </summary>
      {edit.text === null ? (
        <>
          <p class="quiet">{card.argsFixed}</p>
          <Quoted text={JSON.stringify(args, null, 2)} />
        </>
      ) : (
        <>
          <p class="quiet">{card.argsEdit}</p>
          <ToolIntervention tool={tool} edit={edit} />
          <details class="raw above">
            <summary>{card.argsText}</summary>
            <label for={id}>{edit.text.form === 'lines' ? card.stepsLabel : card.args}</label>
            <textarea
              id={id}
              rows={Math.min(12, Math.max(3, edit.text.text.split('\n').length + 1))}
              spellcheck={false}
              autocomplete="off"
              dir="ltr"
              value={edit.text.text}
              aria-describedby={edit.textProblem === null ? undefined : `${id}-problem`}
              aria-invalid={edit.textProblem !== null}
              onInput={({ currentTarget }) => edit.setText(currentTarget.value)}
            />
            {hides(edit.text.text) && <Quoted text={edit.text.text} />}
            {edit.textProblem !== null && (
              <p id={`${id}-problem`} class="problem" role="alert">
                {edit.textProblem}
              </p>
            )}
          </details>
          {edit.isEdited && (
            <button type="button" class="plain" onClick={edit.reset}>
              {card.reset}
            </button>
          )}
        </>
      )}
    </details>
  );
}

/** The arguments of a call as its tool shows them; the sentences above them do not wait for it. */
function ToolIntervention({ tool, edit }: OfEdit & { readonly tool: string }) {
  const { card } = useCardWords();
  // Loading fails if the extension was updated under the page: the arguments remain as text.
  const Face = useLoaded(`${tool} Intervention`, async (): Promise<Intervention> => {
    const own = (await import('../../ui/faces/faces.tsx')).interventionOf(tool);
    return (await own?.()) ?? (await import('../../ui/edit-form.tsx')).GeneralIntervention;
  });
  if (Face === 'loading' || edit.args === null) return null;
  const failed = <p class="problem">{card.argsNoFields}</p>;
  if (Face === 'failed') return failed;
  return (
    <FaceBoundary key={edit.version} name={`${tool} Intervention`} fallback={failed}>
      <Face args={edit.args} onEdit={edit.setArgs} />
    </FaceBoundary>
  );
}

interface Written {
  /** The arguments as text; null if they cannot be changed. */
  readonly text: ArgsText | null;
  /** Null if unknown. */
  readonly args: JsonObject | null;
  readonly problem: string | null;
  /** Set if the problem is in the text. */
  readonly textProblem: string | null;
  /** Counts changes outside the tool's own fields, which then start again from the arguments. */
  readonly version: number;
}

/** The arguments of a question, and a person's changes. */
type Edit = ReturnType<typeof useEdit>;

/** The last change, in text or fields, is shown in both. */
export function useEdit({ tool, args, isEditable }: ShownQuestion, strings: CardWords) {
  const original = useMemo(() => (args === null || !isEditable ? null : writeArgs(tool, args)), []);
  const first: Written = { text: original, args, problem: null, textProblem: null, version: 0 };
  const [now, set] = useState(first);
  const next = { version: now.version + 1 };
  return {
    ...now,
    isEdited: now.text?.text !== original?.text,
    setText: (written: string): void => {
      const text = { form: now.text?.form ?? 'json', text: written };
      const read = readArgs(args ?? {}, text, strings);
      if ('args' in read) set({ ...next, text, args: read.args, problem: null, textProblem: null });
      else set({ ...next, text, args: now.args, problem: read.problem, textProblem: read.problem });
    },
    setArgs: (edited: JsonObject, problem: string | null): void => {
      const text = writeArgs(tool, edited);
      const textProblem = isTooLong(text.text) ? strings.card.tooLong : null;
      set({ ...now, text, args: edited, problem: problem ?? textProblem, textProblem });
    },
    reset: (): void => set({ ...first, ...next }),
  };
}

interface ArgsText {
  /** `lines`: the steps of `interact`, one per line. */
  readonly form: 'lines' | 'json';
  readonly text: string;
}

const isTooLong = (text: string): boolean => text.length > ARGUMENT_UNITS;

type EditedArgs = { readonly args: JsonObject } | { readonly problem: string };

/** Arguments in editable form. */
export function writeArgs(tool: string, args: JsonObject): ArgsText {
  const { steps, fields } = args;
  const hasLines =
    tool === 'interact' &&
    fields === undefined &&
    isJsonList(steps) &&
    steps.every((step) => typeof step === 'string' && !/[\r\n]/.test(step));
  return hasLines
    ? { form: 'lines', text: steps.join('\n') }
    : { form: 'json', text: JSON.stringify(args, null, 2) };
}

/** Parses a person's text. The server validates it again. */
export function readArgs(original: JsonObject, { form, text }: ArgsText, { card }: CardWords): EditedArgs {
  if (isTooLong(text)) return { problem: card.tooLong };
  if (form === 'lines') {
    const steps = text.split('\n').filter((line) => line.trim() !== '');
    for (const [at, step] of steps.entries()) {
      const problem = stepProblem(step);
      if (problem !== null) return { problem: `${at + 1}: ${problem}` };
    }
    return { args: { ...original, steps } };
  }
  try {
    const args: unknown = JSON.parse(text);
    return isObject(args) ? { args } : { problem: card.notObject };
  } catch (thrown) {
    return { problem: `${card.notJson}${messageOf(thrown)}` };
  }
}
