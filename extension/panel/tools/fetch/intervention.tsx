import { FETCH_BOUNDS } from '../../../../shared/tools/fetch/limits.ts';
import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** Which file is loaded, and how much of it. */
const File: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  return (
    <EditForm
      args={args}
      onEdit={onEdit}
      fields={[
        { kind: 'text', path: ['url'], label: text.url },
        { kind: 'text', path: ['pages'], label: text.pages },
        {
          kind: 'number',
          path: ['max_bytes'],
          label: text.maxBytes,
          least: 1,
          most: FETCH_BOUNDS.bytesMax,
          otherwise: text.number(1, FETCH_BOUNDS.bytesMax),
        },
      ]}
    />
  );
};

export const faces: FacesOf<Intervention> = { fetch: File };
