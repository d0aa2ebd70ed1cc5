import type { FacesOf, Render } from './face.ts';
import { byIdentifier, loaderOf, type LoadFace } from './found-faces.ts';

const FACES = byIdentifier(import.meta.glob<FacesOf<Render>>('./*/render.tsx', { import: 'faces' }));

/** What shows a result. */
export const renderOf = (identifier: string, api: string): LoadFace<Render> | null =>
  loaderOf(FACES, identifier, api);
