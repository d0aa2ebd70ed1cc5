import { reveal } from '../../../../shared/policy/reveal.ts';
import type { Inspector } from '../../tools/face.ts';
import { CallLine } from '../call-line.tsx';

/** What of the arguments says best what a call is about, the first that there is. */
const SUBJECTS = [
  'url',
  'query',
  'selector',
  'text',
  'pattern',
  'handle',
  'run_id',
  'call_id',
  'action',
  'tab',
];

/** The line of a tool that has none of its own: its name, and the argument that says most. */
export const GeneralInspector: Inspector = ({ call: { tool, title, args } }) => (
  <CallLine
    name={reveal(title ?? tool)}
    about={[
      ...SUBJECTS.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined)),
      ...Object.values(args).filter((value) => typeof value === 'string'),
    ]}
  />
);
