import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  request_human_input: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.request_human_input}
      about={[call.args.message, call.args.tab]}
      tags={[wordOf(words[language].inspector, call.args.type)]}
    />
  ),
};
