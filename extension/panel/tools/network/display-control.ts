import { isObject } from '../../../../shared/json.ts';
import type { DisplayControl, FacesOf } from '../face.ts';

/** That a capture began or ended says its line. */
export const controls: FacesOf<DisplayControl> = {
  network: ({ value }) => (isObject(value) && value['state'] !== undefined ? 'closed' : 'open'),
};
