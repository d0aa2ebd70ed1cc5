import type { DisplayControl, FacesOf } from '../face.ts';

/** The timeline around it has the same lines; sums are there only. */
export const controls: FacesOf<DisplayControl> = {
  oc_journal: ({ value }) => (Array.isArray(value) && value.length > 0 ? 'closed' : 'open'),
};
