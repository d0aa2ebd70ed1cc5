import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  network: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.network}
      about={[call.args.since_act, call.args.tab]}
      tags={[wordOf(words[language].inspector, call.args.action), call.args.format]}
    />
  ),
};
