import type { FacesOf, Intervention } from './face.ts';
import { byIdentifier, loaderOf, type LoadFace } from './found-faces.ts';

const FACES = byIdentifier(
  import.meta.glob<FacesOf<Intervention>>('./*/intervention.tsx', { import: 'faces' }),
);

/** What shows a call that a person is to approve. */
export const interventionOf = (identifier: string, api: string): LoadFace<Intervention> | null =>
  loaderOf(FACES, identifier, api);
