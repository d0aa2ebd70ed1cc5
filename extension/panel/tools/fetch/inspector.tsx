import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  fetch: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.fetch}
      about={[call.args.url]}
      tags={[
        call.args.pages !== undefined && words[language].inspector.pages(String(call.args.pages)),
        wordOf(words[language].inspector, call.args.as),
      ]}
    />
  ),
};
