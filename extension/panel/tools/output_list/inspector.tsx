import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  output_list: ({ call, language }) => (
    <CallLine name={words[language].apiName.output_list} about={[call.args.text]} tags={[call.args.tool]} />
  ),
};
