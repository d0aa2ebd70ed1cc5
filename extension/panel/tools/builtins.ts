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

/** What an api is called in a line. */
export const apiNameOf = (language: Language, identifier: string, api: string): string | null =>
  faceOf(faceOf(builtins[language], identifier)?.apiName, api);
