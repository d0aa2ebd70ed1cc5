import type { FacesOf, Inspector } from './face.ts';
import { byIdentifier, faceOf } from './found-faces.ts';

const FACES = byIdentifier(
  import.meta.glob<FacesOf<Inspector>>('./*/inspector.tsx', { eager: true, import: 'faces' }),
);

/** What a line shows of a call. */
export const inspectorOf = (identifier: string, api: string): Inspector | null =>
  faceOf(FACES.get(identifier), api);
