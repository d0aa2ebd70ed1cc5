import { EditForm } from '../../components/edit-form.tsx';
import type { FacesOf, Intervention } from '../face.ts';
import { words } from './face-words.ts';

/** Where a tab is led. */
const Address: Intervention = ({ language, args, onEdit }) => {
  const { intervention: text } = words[language];
  return <EditForm args={args} onEdit={onEdit} fields={[{ kind: 'text', path: ['url'], label: text.url }]} />;
};

export const faces: FacesOf<Intervention> = { navigate: Address };
