import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** How a dialog is answered. */
const Answer: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  return (
    <EditForm
      args={args}
      onEdit={onEdit}
      fields={[
        {
          kind: 'choice',
          path: ['action'],
          label: text.action,
          choices: [
            ['accept', text.accept],
            ['dismiss', text.dismiss],
          ],
        },
        { kind: 'text', path: ['text'], label: text.text },
      ]}
    />
  );
};

export const faces: FacesOf<Intervention> = { dialog: Answer };
