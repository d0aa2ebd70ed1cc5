import { useContext } from 'preact/hooks';
import { WordsContext } from '../../words/use-texts.ts';
import type { Language } from '../../words/languages.ts';
import { EditForm, type FormField } from '../components/edit-form.tsx';
import { generalTexts } from '../components/answer-words.ts';
import type { Intervention } from './face.ts';
import type { AnyWords, Field, Row } from './row.ts';

/** A form for the arguments of a call. */
export const formOf =
  (form: NonNullable<Row['form']>, labelsIn: (language: Language) => AnyWords): Intervention =>
  ({ args, onEdit }) => {
    const language = useContext(WordsContext);
    const fields = form.fields(args).map((field) => fieldOf(field, labelsIn(language), language));
    return <EditForm args={{ ...form.defaults?.(args), ...args }} onEdit={onEdit} fields={fields} />;
  };

function fieldOf(field: Field<string>, labels: AnyWords, language: Language): FormField {
  const { path, label: name } = field;
  const label = String(labels[name]);
  switch (field.kind) {
    case 'number': {
      const { kind, least, most } = field;
      return { kind, path, label, least, most, otherwise: generalTexts[language].wholeNumber(least, most) };
    }
    case 'choice':
      return {
        kind: field.kind,
        path,
        label,
        choices: field.choices.map((value) => [value, String(labels[value])]),
      };
    default:
      return { kind: field.kind, path, label };
  }
}
