import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  find_tools: ({ call, language }) => (
    <CallLine name={words[language].apiName.find_tools} about={[call.args.query]} />
  ),
};
