import { useContext } from 'preact/hooks';
import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { toolNames } from '../../../shared/core/tools/names.ts';
import { toolTexts } from '../words/en/tools.ts';
import type { Language } from '../words/locale.ts';
import { CallLine, wordOf } from '../call-line.tsx';
import { WordsContext } from '../words/use-texts.ts';
import type {
  AnyWords,
  FaceCall,
  FaceAnswer,
  Inspector,
  Intervention,
  Render,
  FaceRow,
  Tag,
} from './face.ts';
import { ROWS } from './rows.ts';

/** The rows of all tools, by api. */
const TABLE: Readonly<Record<string, FaceRow>> = ROWS;

type LoadFace<Face> = () => Promise<Face>;

const memberOf = <T,>(all: Readonly<Record<string, T>>, name = ''): T | null =>
  Object.hasOwn(all, name) ? (all[name] ?? null) : null;

const rowOf = (tool: string): FaceRow | null => memberOf(TABLE, toolNames(tool)?.api);

const getFaceWords = (language: Language, kind: 'lines' | 'forms', tool: string): AnyWords => {
  const all: Readonly<Record<string, AnyWords>> = toolTexts(language)[kind];
  return memberOf(all, toolNames(tool)?.identifier) ?? {};
};

/** Our own tools by the person's language, others by their names. */
export const toolTitle = (language: Language, tool: string): string =>
  memberOf<string>(toolTexts(language).names, toolNames(tool)?.api) ?? reveal(tool);

const isTextOf = (text: unknown): text is (value: string) => string => typeof text === 'function';

/** Null for an empty tag. */
function sayTag(tag: Tag<string>, args: FaceCall['args'], words: AnyWords) {
  if (typeof tag === 'string') return args[tag] ?? null;
  if ('wordOf' in tag) return wordOf(words, args[tag.wordOf]);
  const value = args[tag.of];
  if (tag.is === undefined ? value === undefined : value !== tag.is) return null;
  const text = words[tag.say];
  return isTextOf(text) ? text(String(value)) : String(text);
}

const lineOf =
  ({ about = [], tags = [], line }: FaceRow): Inspector =>
  ({ call }) => {
    const language = useContext(WordsContext);
    const words = getFaceWords(language, 'lines', call.tool);
    return (
      <CallLine
        name={toolTitle(language, call.tool)}
        about={about.map((name) => call.args[name])}
        tags={tags.map((tag) => sayTag(tag, call.args, words))}
        {...line?.(call, language)}
      />
    );
  };

// Created once: a new component each time would be mounted again.
const LINES = new Map(Object.entries(TABLE).map(([api, row]) => [api, lineOf(row)]));

export const inspectorOf = (tool: string): Inspector | null => LINES.get(toolNames(tool)?.api ?? '') ?? null;

export function waitingFor(language: Language, tool: string): string | null {
  const awaits = rowOf(tool)?.awaits;
  return awaits === undefined ? null : String(getFaceWords(language, 'lines', tool)[awaits]);
}

/** Whether a tool's Render is closed at first, by what it answered. */
export function isClosedAtFirst(tool: string, { value, state }: FaceAnswer): boolean {
  const { closes = [], opens = [] } = rowOf(tool) ?? {};
  const members: JsonObject = { ...state, ...(isObject(value) ? value : { items: value }) };
  const isThere = (name: string): boolean => !['', '[]'].includes(JSON.stringify(members[name]) ?? '');
  return closes.some(isThere) && !opens.some(isThere);
}

export function renderOf(tool: string): LoadFace<Render> | null {
  const row = rowOf(tool);
  const { api = '' } = toolNames(tool) ?? {};
  return row && (row.render ?? (async () => (await import('./renders.ts')).renderOfApi(api)));
}

export function interventionOf(tool: string): LoadFace<Intervention> | null {
  const { intervention, form, defaults } = rowOf(tool) ?? {};
  if (form === undefined) return intervention ?? null;
  const labelsIn = (language: Language): AnyWords => getFaceWords(language, 'forms', tool);
  return async () => (await import('../edit-form.tsx')).formOf(labelsIn, form, defaults);
}

export const portalOf = (tool: string): LoadFace<Render> | null => rowOf(tool)?.portal ?? null;
