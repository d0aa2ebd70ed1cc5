import { useContext } from 'preact/hooks';
import type { Language } from '../../words/languages.ts';
import { WordsContext } from '../../words/use-texts.ts';
import { EditForm } from '../components/edit-form.tsx';
import type { Intervention } from './face.ts';
import type { AnyWords, Row } from './row.ts';

/** A form for the arguments of a call. */
export const formOf =
  (form: NonNullable<Row['form']>, labelsIn: (language: Language) => AnyWords): Intervention =>
  ({ args, onEdit }) => {
    const labels = labelsIn(useContext(WordsContext));
    return (
      <EditForm
        args={{ ...form.defaults?.(args), ...args }}
        fields={form.fields(args)}
        labelOf={(name) => String(labels[name])}
        onEdit={onEdit}
      />
    );
  };
