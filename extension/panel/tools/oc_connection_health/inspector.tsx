import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  oc_connection_health: ({ language }) => <CallLine name={words[language].apiName.oc_connection_health} />,
};
