import { reveal } from '../../../shared/policy/reveal.ts';
import { toolNames } from '../../../shared/tools/names.ts';
import type { InEach, Language } from '../../words/languages.ts';
import type { BuiltinWords } from './face.ts';
import { byIdentifier, faceOf } from './found-faces.ts';

const WORDS = byIdentifier(
  import.meta.glob<InEach<BuiltinWords>>('./*/words.ts', { eager: true, import: 'words' }),
);

const inLanguage = (language: Language): Readonly<Record<string, BuiltinWords>> =>
  Object.fromEntries([...WORDS].map(([identifier, words]) => [identifier, words[language]]));

/** What people read of each tool: `builtins.<identifier>.title`, `.apiName.<api>` and `.inspector.…`. */
export const builtins: InEach<Readonly<Record<string, BuiltinWords>>> = {
  en: inLanguage('en'),
  'zh-CN': inLanguage('zh-CN'),
};

/** What people call a tool: our own by their language, others by their names. */
export function toolTitle(language: Language, tool: string): string {
  const names = toolNames(tool);
  return (names && apiNameOf(language, names.identifier, names.api)) ?? reveal(tool);
}

/** What an api is called in a line. */
export const apiNameOf = (language: Language, identifier: string, api: string): string | null =>
  faceOf(faceOf(builtins[language], identifier)?.apiName, api);
