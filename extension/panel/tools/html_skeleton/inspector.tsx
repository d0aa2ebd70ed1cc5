import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  html_skeleton: ({ call, language }) => (
    <CallLine name={words[language].apiName.html_skeleton} about={[call.args.selector, call.args.tab]} />
  ),
};
