import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  resume_call: ({ call, language }) => (
    <CallLine name={words[language].apiName.resume_call} about={[call.args.id]} />
  ),
};
