import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../words/use-texts.ts';
import { toolTitle, inspectorOf } from '../tools/faces.tsx';
import type { FaceAnswer, FaceCall } from '../tools/face.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import { FaceBoundary } from '../components/face-boundary.tsx';
import { GeneralInspector } from '../components/call-line.tsx';

/** Null if the server no longer keeps it. */
export type ShownAnswer = FaceAnswer | null | 'reading';

/** Shows the open question; null without any. */
export const QuestionContext = createContext<(() => void) | null>(null);

/** Titles of other servers' tools and of recipes, as seen in calls. */
export const TitlesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** The title of a tool in the person's language. */
export function useToolTitle(): (tool: string) => string {
  const language = useContext(WordsContext);
  const titles = useContext(TitlesContext);
  return (tool) => {
    const title = titles.get(tool);
    return title === undefined ? toolTitle(language, tool) : reveal(title);
  };
}

/** The line of a call: its tool's Inspector. */
export function CallInspector({ call }: { readonly call: FaceCall }): JSX.Element {
  const Face = inspectorOf(call.tool);
  const general = <GeneralInspector call={call} />;
  if (Face === null) return general;
  return (
    <FaceBoundary key={call.callId} name={`${call.tool} Inspector`} fallback={general}>
      <Face call={call} />
    </FaceBoundary>
  );
}
