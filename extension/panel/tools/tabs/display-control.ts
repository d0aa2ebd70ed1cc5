import { textIn } from '../../components/read-json.ts';
import type { DisplayControl, FacesOf } from '../face.ts';

/** That a tab was closed or brought to the front is what the line says; what was opened is shown. */
export const controls: FacesOf<DisplayControl> = {
  tabs: ({ value }) =>
    ['closed', 'activated'].some((done) => textIn(value, done) !== null) ? 'closed' : 'open',
};
