import type { FacesOf, Portal } from './face.ts';
import { byIdentifier, loaderOf, type LoadFace } from './found-faces.ts';

const FACES = byIdentifier(import.meta.glob<FacesOf<Portal>>('./*/portal.tsx', { import: 'faces' }));

/** What shows a result in full. */
export const portalOf = (identifier: string, api: string): LoadFace<Portal> | null =>
  loaderOf(FACES, identifier, api);
