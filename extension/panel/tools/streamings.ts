import type { FacesOf, Streaming } from './face.ts';
import { byIdentifier, loaderOf, type LoadFace } from './found-faces.ts';

const FACES = byIdentifier(import.meta.glob<FacesOf<Streaming>>('./*/streaming.tsx', { import: 'faces' }));

/** What shows how far a call is. */
export const streamingOf = (identifier: string, api: string): LoadFace<Streaming> | null =>
  loaderOf(FACES, identifier, api);
