import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  extract_data: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.extract_data}
      about={[call.args.scope, call.args.run, call.args.tab]}
    />
  ),
};
