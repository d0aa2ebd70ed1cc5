import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  wait_for: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.wait_for}
      about={[
        call.args.text,
        call.args.text_gone,
        call.args.target,
        call.args.target_gone,
        call.args.url,
        call.args.tab,
      ]}
      tags={[
        call.args.text_gone !== undefined && words[language].inspector.gone,
        call.args.target_gone !== undefined && words[language].inspector.gone,
        call.args.load === true && words[language].inspector.load,
        call.args.download === true && words[language].inspector.download,
        call.args.network_idle === true && words[language].inspector.idle,
        wordOf(words[language].inspector, call.args.mode),
      ]}
    />
  ),
};
