import type { FacesOf, Placeholder } from './face.ts';
import { byIdentifier, faceOf } from './found-faces.ts';

const FACES = byIdentifier(
  import.meta.glob<FacesOf<Placeholder>>('./*/placeholder.tsx', { eager: true, import: 'faces' }),
);

/** What is there until there is a result. */
export const placeholderOf = (identifier: string, api: string): Placeholder | null =>
  faceOf(FACES.get(identifier), api);
