import { useId, useRef, useState } from 'preact/hooks';
import type { HumanAnswer, HumanAsk } from '../../../shared/people/takeover.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { PressButton, useReason } from './press-button.tsx';
import { AgentText } from '../../ui/quoted.tsx';
import { Select } from '../../ui/select.tsx';
import { RequestCard, type TakeoverCardProps, useReply } from './request-card.tsx';
import { useCardWords } from '../../ui/words/en/card.ts';

type Form = NonNullable<HumanAsk['schema']>;

/** The draft of an answer, by field. */
type Values = Readonly<Record<string, string | boolean>>;

/**
 * A question's fields, if it has any, and its two buttons.
 * @param say gets no answer from a person who declines
 */
export function useAnswer(ask: HumanAsk, say: (said: { readonly answer?: HumanAnswer }) => void) {
  const { ask: words } = useCardWords();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Values>({});
  const { properties, required = [] } = formOf(ask, words.answer);
  const isApproval = ask.type === 'approval';
  return {
    form,
    fields:
      !isApproval &&
      Object.entries(properties).map(([name, field]) => (
        <AskField
          key={name}
          name={name}
          field={field}
          isRequired={required.includes(name)}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      )),
    no: isApproval ? words.no : words.decline,
    yes: isApproval ? words.yes : words.send,
    onNo: () => say(isApproval ? { answer: false } : {}),
    onYes: () => {
      // The browser shows its own message next to the field.
      if (form.current?.reportValidity() !== false) say({ answer: isApproval || answerOf(ask, values) });
    },
  };
}

/** A question from an agent to a person. Key it by its id, so that no state of the last one remains. */
export function AskCard({ ask, ...card }: TakeoverCardProps & { readonly ask: HumanAsk }) {
  const { ask: words } = useCardWords();
  const [reasonField, reason] = useReason(words.reason);
  const reply = useReply(card);
  const { form, fields, no, yes, onNo, onYes } = useAnswer(ask, (said) =>
    reply('answer' in said ? 'done' : 'decline', { ...reason, ...said }).onPress(),
  );
  return (
    <RequestCard
      {...card}
      words={words}
      bar={
        <>
          {reasonField}
          <div class="buttons">
            <PressButton {...reply('decline')} id="ask-no" onPress={onNo}>
              {no}
            </PressButton>
            <PressButton {...reply('done')} id="ask-yes" class="allow" ignoresEnter onPress={onYes}>
              {yes}
            </PressButton>
          </div>
        </>
      }
    >
      {fields && (
        <form ref={form} onSubmit={(event) => event.preventDefault()}>
          {fields}
        </form>
      )}
    </RequestCard>
  );
}

/** Each question as a form: a text and a choice have one field. */
function formOf({ choices, schema }: HumanAsk, title: string): Form {
  if (schema !== undefined) return schema;
  const field = { type: 'string', title, ...(choices === undefined ? {} : { enum: choices }) } as const;
  return { type: 'object', properties: { answer: field }, required: ['answer'] };
}

function answerOf(ask: HumanAsk, values: Values): HumanAnswer {
  if (ask.type !== 'form') return values['answer'] ?? '';
  const filled = Object.entries(ask.schema?.properties ?? {}).flatMap(([name, { type }]) => {
    const value = values[name] ?? (type === 'boolean' ? false : '');
    if (value === '') return [];
    return [[name, type === 'number' || type === 'integer' ? Number(value) : value] as const];
  });
  return Object.fromEntries(filled);
}

interface FieldProps {
  readonly name: string;
  readonly field: Form['properties'][string];
  readonly isRequired: boolean;
  readonly value: string | boolean | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function AskField({ name, field, isRequired, value, onChange }: FieldProps) {
  const { ask: words } = useCardWords();
  const id = useId();
  const label = <AgentText text={field.title ?? name} />;
  const about = field.description !== undefined && (
    <span class="quiet">
      <AgentText text={field.description} />
    </span>
  );
  if (field.type === 'boolean')
    return (
      <label class="ask-field check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          {label} {about}
        </span>
      </label>
    );
  const text = typeof value === 'string' ? value : '';
  const shared = { id, required: isRequired, value: text } as const;
  return (
    <div class="ask-field stack">
      <label for={id}>
        {label} {!isRequired && <span class="quiet">({words.optional})</span>}
      </label>
      {about}
      {field.enum !== undefined ? (
        <Select
          {...shared}
          options={[['', words.choose], ...field.enum.map((choice) => [choice, reveal(choice)] as const)]}
          onChange={onChange}
        />
      ) : field.type === 'string' ? (
        <textarea
          {...shared}
          rows={2}
          minLength={field.minLength}
          maxLength={Math.min(field.maxLength ?? MAX_TEXT, MAX_TEXT)}
          // The browser would take blanks for an answer.
          onInput={({ currentTarget: { value: typed } }) =>
            onChange(isRequired && typed.trim() === '' ? '' : typed)
          }
        />
      ) : (
        <input
          {...shared}
          type="number"
          step={field.type === 'integer' ? 1 : 'any'}
          min={Math.max(field.minimum ?? -MAX_NUMBER, -MAX_NUMBER)}
          max={Math.min(field.maximum ?? MAX_NUMBER, MAX_NUMBER)}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

const MAX_TEXT = 20_000;
/** A larger one would arrive as another number. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;
