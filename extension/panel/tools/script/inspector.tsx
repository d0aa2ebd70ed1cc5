import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

/** The first line that says something. */
const firstLine = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? '';

export const faces: FacesOf<Inspector> = {
  script: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.script}
      about={[typeof call.args.code === 'string' && firstLine(call.args.code)]}
    />
  ),
};
