import type { JSX } from 'preact';
import { useId, useState, useContext } from 'preact/hooks';
import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../shared/base/json.ts';
import { hides } from './reveal-parts.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { Quoted, QuotedRows } from './quoted.tsx';
import type { Intervention, Field, AnyWords, FaceRow } from './faces/face.ts';
import { useWords } from './words/en/components.ts';
import type { Language } from './words/locale.ts';
import { WordsContext } from './words/use-texts.ts';

interface FormProps {
  readonly args: JsonObject;
  /** Editable fields. A field whose argument is missing is not shown. */
  readonly fields: readonly Field<string>[];
  /** The word for a field, or for one of its choices. */
  readonly labelOf: (name: string) => string;
  readonly onEdit: (args: JsonObject, problem: string | null) => void;
}

/** Arguments as labelled fields. */
export function EditForm({ args, fields, labelOf, onEdit }: FormProps) {
  const shown = fields.filter((field) => fits(field, valueAt(args, field.path)));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const change = (field: Field<string>, value: JsonValue | undefined, problem: string | null): void => {
    const { [field.label]: _before, ...others } = problems;
    const now = problem === null ? others : { ...others, [field.label]: problem };
    setProblems(now);
    onEdit(withValue(args, field.path, value), Object.values(now)[0] ?? null);
  };
  return (
    <div class="edit-form">
      {shown.map((field) => (
        <FaceRow
          key={field.path.join('.')}
          field={field}
          labelOf={labelOf}
          value={valueAt(args, field.path) ?? null}
          problem={problems[field.label] ?? null}
          onChange={(now, problem) => change(field, now, problem)}
        />
      ))}
      <OtherArguments args={args} shown={shown.map(({ path: [name = ''] }) => name)} />
    </div>
  );
}

type OthersProps = { readonly args: JsonObject; readonly shown: readonly string[] };

/** @param shown names of arguments that have fields */
export function OtherArguments({ args, shown }: OthersProps) {
  const others = Object.entries(args).filter(([name, value]) => value !== undefined && !shown.includes(name));
  if (others.length === 0) return null;
  return <QuotedRows rows={others.map(([name, value = null]) => [name, formatFormValue(value)] as const)} />;
}

interface RowProps extends Pick<FormProps, 'labelOf'> {
  readonly field: Field<string>;
  readonly value: JsonValue;
  readonly problem: string | null;
  readonly onChange: (value: JsonValue | undefined, problem: string | null) => void;
}

function FaceRow({ field, labelOf, value, problem, onChange }: RowProps) {
  const id = useId();
  const input = { id, 'aria-describedby': `${id}-note` };
  const text = isJsonList(value) ? value.map(formatFormValue).join('\n') : formatFormValue(value);
  return (
    <div class={field.kind === 'check' ? 'edit-row check' : 'edit-row'}>
      <label for={id}>{labelOf(field.label)}</label>
      {field.kind === 'check' && (
        <input
          {...input}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked, null)}
        />
      )}
      {field.kind === 'choice' && (
        <select {...input} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value, null)}>
          {!field.choices.includes(text) && <option value={text}>{reveal(text)}</option>}
          {field.choices.map((name) => (
            <option value={name}>{labelOf(name)}</option>
          ))}
        </select>
      )}
      {field.kind === 'lines' && <Lines {...input} value={text} onChange={onChange} />}
      {field.kind === 'number' && <NumberInput {...input} field={field} value={text} onChange={onChange} />}
      {field.kind === 'text' && <EditText {...input} value={text} onChange={(now) => onChange(now, null)} />}
      <p
        id={`${id}-note`}
        class={problem === null ? 'quiet' : 'problem'}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? (hides(text) && <Quoted text={text} />)}
      </p>
    </div>
  );
}

type Shown = Pick<
  JSX.IntrinsicElements['textarea'],
  'id' | 'aria-label' | 'aria-describedby' | 'aria-invalid'
>;
type EditTextProps = Shown & { readonly value: string; readonly onChange: (text: string) => void };

/** Plain text. One line grows to several, so that all of it is visible. */
export const EditText = ({ onChange, ...shown }: EditTextProps) => (
  <textarea
    {...shown}
    class="grows"
    rows={1}
    spellcheck={false}
    autocomplete="off"
    dir="ltr"
    onInput={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

type InputProps = Shown & Pick<RowProps, 'onChange'> & { readonly value: string };

/** A list, one text per line. An empty line being written is not yet an item. */
function Lines({ value, onChange, ...input }: InputProps) {
  const [draft, setDraft] = useState(value);
  return (
    <EditText
      {...input}
      value={splitFilledLines(draft).join('\n') === value ? draft : value}
      onChange={(text) => {
        setDraft(text);
        onChange(splitFilledLines(text), null);
      }}
    />
  );
}

type NumberProps = InputProps & { readonly field: Extract<Field<string>, { kind: 'number' }> };

/** Passes on only complete numbers. */
function NumberInput({ field: { least, most }, value, onChange, ...input }: NumberProps) {
  const words = useWords();
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <input
      {...input}
      type="text"
      inputMode="numeric"
      autocomplete="off"
      aria-invalid={draft !== null}
      value={draft ?? value}
      onInput={({ currentTarget }) => {
        const written = currentTarget.value.trim();
        const number = Number(written);
        const isRight = /^\d+$/.test(written) && number >= least && number <= most;
        setDraft(isRight ? null : currentTarget.value);
        if (isRight) onChange(number, null);
        else onChange(Number(value), words.wholeNumber({ least, most }));
      }}
    />
  );
}

/** A value that does not fit its field is edited as JSON. */
const fits = ({ kind }: Field<string>, value: JsonValue | undefined): boolean =>
  isJsonList(value)
    ? kind === 'lines' && value.every((one) => typeof one === 'string' && !one.includes('\n'))
    : value !== undefined && !isObject(value) && kind !== 'lines';

/** A text itself, any other value as JSON. */
export const formatFormValue = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const splitFilledLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

function valueAt(args: JsonObject, [name = '', ...rest]: readonly string[]): JsonValue | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (rest.length === 0) return value;
  return isObject(value) ? valueAt(value, rest) : undefined;
}

function withValue(args: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return { ...args, [name]: value };
  const inner = args[name];
  return { ...args, [name]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Every argument of a call to approve. */
export const GeneralIntervention: Intervention = ({ args }) => {
  const words = useWords();
  if (Object.keys(args).length === 0) return <p class="dim">{words.noArguments}</p>;
  return <OtherArguments args={args} shown={[]} />;
};

type Labels = (language: Language) => AnyWords;

/** A form for the arguments of a call. */
export const formOf =
  (labelsIn: Labels, form: NonNullable<FaceRow['form']>, defaults: FaceRow['defaults']): Intervention =>
  ({ args, onEdit }) => {
    const labels = labelsIn(useContext(WordsContext));
    return (
      <EditForm
        args={{ ...defaults?.(args), ...args }}
        fields={form(args)}
        labelOf={(name) => String(labels[name])}
        onEdit={onEdit}
      />
    );
  };
