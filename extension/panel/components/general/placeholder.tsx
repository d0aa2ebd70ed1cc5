import type { Placeholder } from '../../tools/face.ts';
import { Skeleton } from '../skeleton.tsx';
import { generalTexts } from './words.ts';

/** Something is on the way. */
export const GeneralPlaceholder: Placeholder = ({ language }) => (
  <Skeleton lines={3} label={generalTexts[language].arriving} />
);
