import type { DisplayControl, FacesOf } from './face.ts';
import { byIdentifier, faceOf } from './found-faces.ts';

const CONTROLS = byIdentifier(
  import.meta.glob<FacesOf<DisplayControl>>('./*/display-control.ts', { eager: true, import: 'controls' }),
);

/** Whether the Render of an api is shown, by the result. */
export const displayControlOf = (identifier: string, api: string): DisplayControl | null =>
  faceOf(CONTROLS.get(identifier), api);
