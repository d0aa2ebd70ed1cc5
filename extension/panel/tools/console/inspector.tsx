import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  console: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.console}
      about={[call.args.text, call.args.tab]}
      tags={[wordOf(words[language].inspector, call.args.level), call.args.since]}
    />
  ),
};
