import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  oc_journal: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.oc_journal}
      about={[call.args.tool]}
      tags={[wordOf(words[language].inspector, call.args.action), call.args.since]}
    />
  ),
};
