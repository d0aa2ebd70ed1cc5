import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** How much of what a page sends is recorded. */
const Recording: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  return (
    <EditForm
      // What is recorded unless the agent says otherwise is a choice, too.
      args={args['action'] === 'start' ? { bodies: 'text', ...args } : args}
      onEdit={onEdit}
      fields={[
        {
          kind: 'choice',
          path: ['bodies'],
          label: text.bodies,
          choices: [
            ['none', text.none],
            ['text', text.text],
            ['all', text.all],
          ],
        },
      ]}
    />
  );
};

export const faces: FacesOf<Intervention> = { network: Recording };
