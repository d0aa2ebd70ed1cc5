import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  run_status: ({ call, language }) => (
    <CallLine name={words[language].apiName.run_status} about={[call.args.run_id]} />
  ),
  run_output: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.run_output}
      about={[call.args.run_id]}
      tags={[call.args.offset !== undefined && words[language].inspector.from(String(call.args.offset))]}
    />
  ),
  run_cancel: ({ call, language }) => (
    <CallLine name={words[language].apiName.run_cancel} about={[call.args.run_id]} />
  ),
  run_resume: ({ call, language }) => (
    <CallLine name={words[language].apiName.run_resume} about={[call.args.run_id]} />
  ),
  run_list: ({ call, language }) => (
    <CallLine name={words[language].apiName.run_list} about={[call.args.status]} />
  ),
  run_log: ({ call, language }) => (
    <CallLine name={words[language].apiName.run_log} about={[call.args.run_id]} tags={[call.args.since]} />
  ),
};
