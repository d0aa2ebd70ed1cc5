import { reveal } from '../../shared/core/policy/reveal.ts';
import type { FaceCall, Inspector, ShownArgument, Summary } from './faces/face.ts';

const TEXT_UNITS = 200;

/** The call and its arguments in one line. */
export function CallLine({ name, about = [], tags = [] }: Summary) {
  const subject = about.find(isGiven);
  return (
    <>
      <b class="tool">{name}</b>
      {subject !== undefined && [' ', <bdi class="subject">{formatArgument(subject)}</bdi>]}
      {tags.filter(isGiven).map((tag) => [' ', <bdi class="f-tag">{formatArgument(tag)}</bdi>])}
    </>
  );
}

const isGiven = (value: ShownArgument | undefined | null): value is ShownArgument =>
  value !== undefined && value !== null && value !== '' && value !== false;

const formatArgument = (value: ShownArgument): string => reveal(String(value).slice(0, TEXT_UNITS));

/** Those arguments that a journal has too. */
export const shownArguments = (args: object): FaceCall['args'] =>
  Object.fromEntries(
    Object.entries(args).filter((member): member is [string, ShownArgument] =>
      ['string', 'number', 'boolean'].includes(typeof member[1]),
    ),
  );

/** The word for an argument's value; null if it needs none. */
export function wordOf(words: object, value: ShownArgument | undefined): string | null {
  if (value === undefined) return null;
  const found: unknown = Object.entries(words).find(([name]) => name === String(value))?.[1];
  return typeof found === 'string' ? found : null;
}

const ABOUT = ['url', 'query', 'selector', 'text', 'pattern', 'handle', 'run_id', 'call_id', 'action', 'tab'];

/** The line of a tool without one of its own: its name and its most informative argument. */
export const GeneralInspector: Inspector = ({ call: { tool, title, args } }) => (
  <CallLine
    name={reveal(title ?? tool)}
    about={[
      ...ABOUT.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined)),
      ...Object.values(args).filter((value) => typeof value === 'string'),
    ]}
  />
);
