import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  screenshot: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.screenshot}
      about={[call.args.selector, call.args.ref, call.args.tab]}
      tags={[
        wordOf(words[language].inspector, call.args.area),
        wordOf(words[language].inspector, call.args.as),
      ]}
    />
  ),
};
