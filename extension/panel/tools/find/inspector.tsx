import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  find: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.find}
      about={[
        call.args.query,
        call.args.name,
        call.args.text,
        call.args.label,
        call.args.placeholder,
        call.args.css,
        call.args.xpath,
        call.args.test_id,
        call.args.tab,
      ]}
      tags={[call.args.role]}
    />
  ),
};
