import { Skeleton } from '../../components/skeleton.tsx';
import type { FacesOf, Placeholder } from '../face.ts';
import { words } from './face-words.ts';

/** Nothing is on its way but a person's answer. */
export const faces: FacesOf<Placeholder> = {
  request_human_input: ({ language }) => <Skeleton lines={2} label={words[language].waiting} />,
};
