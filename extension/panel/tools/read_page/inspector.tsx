import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  read_page: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.read_page}
      about={[call.args.find, call.args.selector, call.args.ref, call.args.tab]}
      tags={[
        wordOf(words[language].inspector, call.args.format),
        call.args.main_content_only === true && words[language].inspector.main,
        call.args.interactive_only === true && words[language].inspector.controls,
        call.args.diff === true && words[language].inspector.changes,
      ]}
    />
  ),
};
