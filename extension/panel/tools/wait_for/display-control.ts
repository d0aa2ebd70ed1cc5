import { textsIn } from '../../components/read-json.ts';
import type { DisplayControl, FacesOf } from '../face.ts';

/** What came as its line names it needs no words of its own; what is missing does. */
export const controls: FacesOf<DisplayControl> = {
  wait_for: ({ state }) =>
    textsIn(state, 'met').length > 0 && textsIn(state, 'missing').length === 0 ? 'closed' : 'open',
};
