import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  oc_evidence_bundle: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.oc_evidence_bundle}
      about={[call.args.case_reference, call.args.captured_by, call.args.tab]}
      tags={[call.args.format, call.args.reload === true && words[language].inspector.reload]}
    />
  ),
};
