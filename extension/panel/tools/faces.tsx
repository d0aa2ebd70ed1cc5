import { useContext } from 'preact/hooks';
import { reveal } from '../../../shared/policy/reveal.ts';
import { toolNames } from '../../../shared/tools/names.ts';
import type { Language } from '../../words/languages.ts';
import { CallLine, wordOf } from '../components/call-line.tsx';
import { WordsContext } from '../../words/use-texts.ts';
import type {
  BuiltinWords,
  DisplayControl,
  FaceCall,
  Inspector,
  Intervention,
  Portal,
  Render,
  ShownArgument,
  Streaming,
} from './face.ts';
import type { AnyWords, Row, Tag } from './row.ts';
import { ROWS } from './rows.ts';
import { builtins as texts } from './words/words.ts';

/** The rows of all tools, by identifier and api. */
const TABLE: Readonly<Record<string, Readonly<Record<string, Row>>>> = ROWS;

export const builtins: Readonly<Record<Language, Readonly<Record<string, BuiltinWords>>>> = texts;

/** Loads a face; null if the tool has none for that api. */
export type LoadFace<Face> = () => Promise<Face | null>;

const memberOf = <T,>(all: Readonly<Record<string, T>> | undefined, name: string): T | null =>
  all !== undefined && Object.hasOwn(all, name) ? (all[name] ?? null) : null;

const rowOf = (identifier: string, api: string): Row | null =>
  memberOf(memberOf(TABLE, identifier) ?? {}, api);

const wordsOf = (identifier: string, language: Language): AnyWords =>
  memberOf(builtins[language], identifier)?.inspector ?? {};

export const apiNameOf = (language: Language, identifier: string, api: string): string | null =>
  memberOf(memberOf(builtins[language], identifier)?.apiName, api);

/** Our own tools by the person's language, others by their names. */
export function toolTitle(language: Language, tool: string): string {
  const names = toolNames(tool);
  return (names && apiNameOf(language, names.identifier, names.api)) ?? reveal(tool);
}

const isTextOf = (text: unknown): text is (value: string) => string => typeof text === 'function';

/** Null for an empty tag. */
function sayTag(tag: Tag<string>, args: FaceCall['args'], words: AnyWords): ShownArgument | null {
  if (typeof tag === 'string') return args[tag] ?? null;
  if ('wordOf' in tag) return wordOf(words, args[tag.wordOf]);
  const value = args[tag.of];
  if (tag.is === undefined ? value === undefined : value !== tag.is) return null;
  const text = words[tag.say];
  return isTextOf(text) ? text(String(value)) : String(text);
}

const lineOf =
  (identifier: string, api: string, { about = [], tags = [], line }: Row): Inspector =>
  ({ call }) => {
    const language = useContext(WordsContext);
    const words = wordsOf(identifier, language);
    return (
      <CallLine
        name={apiNameOf(language, identifier, api) ?? reveal(call.tool)}
        about={about.map((name) => call.args[name])}
        tags={tags.map((tag) => sayTag(tag, call.args, words))}
        {...line?.(call, language)}
      />
    );
  };

const PLACES = Object.entries(TABLE).flatMap(([identifier, rows]) =>
  Object.entries(rows).map(([api, row]) => [`${identifier} ${api}`, identifier, api, row] as const),
);

// Created once: a new component each time would be mounted again.
const LINES = new Map(PLACES.map(([key, identifier, api, row]) => [key, lineOf(identifier, api, row)]));
export const inspectorOf = (identifier: string, api: string): Inspector | null =>
  LINES.get(`${identifier} ${api}`) ?? null;

export function waitingFor(language: Language, tool: string): string | null {
  const { identifier = '', api = '' } = toolNames(tool) ?? {};
  const awaits = rowOf(identifier, api)?.awaits;
  return awaits === undefined ? null : String(wordsOf(identifier, language)[awaits]);
}

/** Whether an api's Render is open at first, by the result. */
export const displayControlOf = (identifier: string, api: string): DisplayControl | null =>
  rowOf(identifier, api)?.control ?? null;

export function renderOf(identifier: string, api: string): LoadFace<Render> | null {
  const row = rowOf(identifier, api);
  return row && (row.render ?? (async () => (await import('./renders.ts')).renderOfApi(api)));
}

export const streamingOf = (identifier: string, api: string): LoadFace<Streaming> | null =>
  rowOf(identifier, api)?.streams === true
    ? async () => (await import('../components/streaming.tsx')).RunStreaming
    : null;

export function interventionOf(identifier: string, api: string): LoadFace<Intervention> | null {
  const { intervention, form } = rowOf(identifier, api) ?? {};
  if (intervention !== undefined || form === undefined) return intervention ?? null;
  return async () =>
    (await import('./form.tsx')).formOf(
      form,
      (language) => memberOf(builtins[language], identifier)?.form ?? {},
    );
}

export const portalOf = (identifier: string, api: string): LoadFace<Portal> | null =>
  rowOf(identifier, api)?.portal ?? null;

/** The surfaces that each tool has a face for, by identifier. */
export const SURFACES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TABLE).map(([identifier, rows]) => [
    identifier,
    [...new Set(Object.values(rows).flatMap(surfacesOf))],
  ]),
);

function surfacesOf({ awaits, streams, intervention, form, portal }: Row): readonly string[] {
  return [
    'Inspector',
    'Render',
    ...(awaits === undefined ? [] : ['Placeholder']),
    ...(streams === undefined ? [] : ['Streaming']),
    ...(intervention === undefined && form === undefined ? [] : ['Intervention']),
    ...(portal === undefined ? [] : ['Portal']),
  ];
}
