import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** Of what the records are read, and how far. */
const Records: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  return (
    <EditForm
      args={args}
      onEdit={onEdit}
      fields={[
        { kind: 'text', path: ['run'], label: text.run },
        { kind: 'text', path: ['scope'], label: text.scope },
        { kind: 'check', path: ['multiple'], label: text.multiple },
        {
          kind: 'number',
          path: ['paginate', 'max_pages'],
          label: text.maxPages,
          least: 1,
          most: 1_000,
          otherwise: text.number(1, 1_000),
        },
      ]}
    />
  );
};

export const faces: FacesOf<Intervention> = { extract_data: Records };
