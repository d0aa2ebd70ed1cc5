import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  output_keep: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.output_keep}
      about={[call.args.output_handle, call.args.note]}
      tags={[call.args.keep === false ? words[language].inspector.release : undefined]}
    />
  ),
};
