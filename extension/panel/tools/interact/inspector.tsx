import { CallLine, wordOf } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { stepSentence } from './step-sentence.ts';
import { words } from './words.ts';

/** The first step says most; how many follow is next to it. */
const Steps: Inspector = ({ call: { args, did = [] }, language }) => {
  const { apiName, inspector } = words[language];
  const [first, ...more] = did;
  const snapshot = wordOf(inspector, args.show);
  if (first === undefined) return <CallLine name={apiName.interact} about={[args.tab]} tags={[snapshot]} />;
  const { verb, what } = stepSentence(first, language);
  return <CallLine name={verb} about={[what]} tags={[more.length > 0 && `+${more.length}`, snapshot]} />;
};

export const faces: FacesOf<Inspector> = { interact: Steps };
