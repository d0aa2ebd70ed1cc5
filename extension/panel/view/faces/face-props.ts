import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from '../../../words/languages.ts';
import { WordsContext } from '../../components/words.ts';
import { toolTitle } from '../../tools/builtins.ts';
import type { FaceActions, FaceAnswer } from '../../tools/face.ts';

/** What a call answered; null where the server no longer keeps it. */
export type ShownAnswer = FaceAnswer | null | 'reading';

/** What faces can do in the panel. */
export const ActionsContext = createContext<FaceActions>({
  openLink: null,
  openOutput: null,
  openRun: null,
  openPortal: null,
  page: null,
  recipes: null,
});

/** Shows what is asked; null where nothing is. */
export const QuestionContext = createContext<(() => void) | null>(null);

/** What people call a tool, in their language. */
export function useToolTitle(): (tool: string) => string {
  const language = useContext(WordsContext);
  return (tool) => toolTitle(language, tool);
}

/** What each face is given besides its call. */
export const useFacePlace = (): { readonly language: Language; readonly actions: FaceActions } => ({
  language: useContext(WordsContext),
  actions: useContext(ActionsContext),
});
