import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  oc_output_fetch: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.oc_output_fetch}
      about={[call.args.output_handle]}
      tags={[
        call.args.offset !== undefined && words[language].inspector.from(String(call.args.offset)),
        call.args.format,
      ]}
    />
  ),
};
