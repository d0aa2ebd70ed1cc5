import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  dialog: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.dialog}
      about={[call.args.text, call.args.tab]}
      tags={[wordOf(words[language].inspector, call.args.action)]}
    />
  ),
};
