import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { toolNames } from '../../../shared/tools/names.ts';
import { FaceBoundary } from '../../panel/components/face-boundary.tsx';
import { WordsContext } from '../../panel/components/words.ts';
import type { FaceActions, Intervention } from '../../panel/tools/face.ts';
import { interventionOf } from '../../panel/tools/interventions.ts';
import type { Strings } from '../words/strings.ts';
import type { Edit } from './use-edit.ts';

/** A card opens nothing: what it is about is decided first. */
const NO_ACTIONS: FaceActions = {
  openLink: null,
  openOutput: null,
  openRun: null,
  openPortal: null,
  page: null,
  recipes: null,
};

interface Props {
  readonly tool: string;
  readonly edit: Edit;
  readonly strings: Strings;
}

/** The arguments of a call as its tool shows them; what is said above them does not wait for it. */
export function ToolIntervention({ tool, edit, strings: { card } }: Props): JSX.Element | null {
  const language = useContext(WordsContext);
  const Face = useIntervention(tool);
  if (Face === 'loading' || edit.args === null) return null;
  const failed = <p class="problem">{card.argsNoFields}</p>;
  if (Face === 'failed') return failed;
  return (
    <FaceBoundary key={edit.version} name={`${tool} Intervention`} fallback={failed}>
      <Face tool={tool} args={edit.args} onEdit={edit.setArgs} language={language} actions={NO_ACTIONS} />
    </FaceBoundary>
  );
}

/** The tool's own Intervention, or the general one. */
function useIntervention(tool: string): Intervention | 'loading' | 'failed' {
  // In a list, since a state that is a function would be called.
  const [[face], setFace] = useState<readonly [Intervention | 'loading' | 'failed']>(['loading']);
  useEffect(() => {
    let isWanted = true;
    loadIntervention(tool).then(
      (loaded) => isWanted && setFace([loaded]),
      // The extension was updated under the page. The arguments are there as text.
      () => isWanted && setFace(['failed']),
    );
    return () => {
      isWanted = false;
    };
  }, [tool]);
  return face;
}

async function loadIntervention(tool: string): Promise<Intervention> {
  const names = toolNames(tool);
  const own = names === null ? null : await interventionOf(names.identifier, names.api)?.();
  return own ?? (await import('../../panel/components/general/intervention.tsx')).GeneralIntervention;
}
