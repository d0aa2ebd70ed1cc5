import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  output_schema: ({ call, language }) => (
    <CallLine name={words[language].apiName.output_schema} about={[call.args.output_handle]} />
  ),
};
