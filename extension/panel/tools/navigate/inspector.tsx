import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  navigate: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.navigate}
      about={[call.args.url, call.args.tab]}
      tags={[wordOf(words[language].inspector, call.args.action)]}
    />
  ),
};
