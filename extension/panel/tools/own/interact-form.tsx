import { Problem } from '../../components/button.tsx';
import { toolTexts } from '../../../words/en/tools.ts';
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../../words/use-texts.ts';
import { StepError, parseStep } from '../../../../shared/act/parse-step.ts';
import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { EditForm, EditText, OtherArguments, hides } from '../../components/edit-form.tsx';
import type { Intervention } from '../face.ts';
import type { Field } from '../row.ts';

export const StepsForm: Intervention = ({ args, onEdit }) => {
  const { form: text } = toolTexts(useContext(WordsContext)).interact;
  const { steps, fields } = args;
  const lines = isJsonList(steps) ? steps : [];
  const problems = lines.map(problemOf);
  const problem = firstOf(problems);
  const edit = (now: readonly JsonValue[]): void =>
    onEdit?.({ ...args, steps: now }, firstOf(now.map(problemOf)));
  return (
    <>
      {isObject(fields) && (
        <EditForm
          args={{ fields }}
          fields={formOf(fields)}
          labelOf={reveal}
          onEdit={onEdit === null ? null : (now) => onEdit({ ...args, ...now }, problem)}
        />
      )}
      <ol class="edit-steps">
        {lines.map((step, at) => (
          <Step
            key={at}
            step={step}
            label={text.step(at + 1)}
            removeLabel={text.remove(at + 1)}
            isWrong={problems[at] !== null}
            onChange={onEdit === null ? null : (now) => edit(lines.with(at, now))}
            onRemove={onEdit === null ? null : () => edit(lines.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <Problem>{problem}</Problem>
      {onEdit !== null && (
        <button type="button" class="plain" onClick={() => edit([...lines, ''])}>
          {text.add}
        </button>
      )}
      <OtherArguments
        args={args}
        shown={[...(isJsonList(steps) ? ['steps'] : []), ...(isObject(fields) ? ['fields'] : [])]}
      />
    </>
  );
};

interface StepProps {
  readonly step: JsonValue;
  readonly label: string;
  readonly removeLabel: string;
  readonly isWrong: boolean;
  readonly onChange: ((step: JsonValue) => void) | null;
  readonly onRemove: (() => void) | null;
}

function Step({ step, label, removeLabel, isWrong, onChange, onRemove }: StepProps): JSX.Element {
  const text = typeof step === 'string' ? step : JSON.stringify(step);
  return (
    <li>
      <div class="edit-step">
        <EditText
          aria-label={label}
          aria-invalid={isWrong}
          disabled={onChange === null}
          value={text}
          onChange={(now) => onChange?.(readStep(now))}
        />
        {onRemove !== null && (
          <button type="button" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
            ✕
          </button>
        )}
      </div>
      {hides(text) && <bdi class="quoted">{reveal(text)}</bdi>}
    </li>
  );
}

/** A step that was an object stays one while it is JSON. */
function readStep(text: string): JsonValue {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const step: unknown = JSON.parse(text);
    return isObject(step) ? step : text;
  } catch {
    return text;
  }
}

function problemOf(step: JsonValue, at: number): string | null {
  if (typeof step !== 'string') return null;
  try {
    parseStep(step);
    return null;
  } catch (thrown) {
    if (thrown instanceof StepError) return `${at + 1}: ${thrown.message}`;
    throw thrown;
  }
}

const firstOf = (problems: readonly (string | null)[]): string | null =>
  problems.find((one) => one !== null) ?? null;

const formOf = (fields: JsonObject): readonly Field<string>[] =>
  Object.entries(fields).map(([label, value]) => ({
    path: ['fields', label],
    label,
    kind: typeof value === 'boolean' ? 'check' : isJsonList(value) ? 'lines' : 'text',
  }));
