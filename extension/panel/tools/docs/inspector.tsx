import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  docs_search: ({ call, language }) => (
    <CallLine name={words[language].apiName.docs_search} about={[call.args.query]} />
  ),
  docs_fetch: ({ call, language }) => (
    <CallLine name={words[language].apiName.docs_fetch} about={[call.args.page]} />
  ),
};
