import type { ComponentChildren, ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FaceBoundary } from '../../components/face-boundary.tsx';
import type { LoadFace } from '../../tools/found-faces.ts';
import type { PanelStrings } from '../../words/strings.ts';

interface Props<Given extends object> {
  /** Names it in the log; another name is another face. */
  readonly name: string;
  /** Null where the tool has none. */
  readonly load: LoadFace<ComponentType<Given>> | null;
  readonly given: Given;
  /** What is shown where the tool has none, and where its own fails. */
  readonly loadGeneral: () => Promise<ComponentType<Given>>;
  /** What is there while it is loaded. */
  readonly meanwhile: ComponentChildren;
  readonly strings: PanelStrings;
}

/** A face that is loaded when it is shown. */
export function LazyFace<Given extends object>(props: Props<Given>): JSX.Element {
  const { name, load, given, loadGeneral, meanwhile, strings } = props;
  const Face = useLoaded(name, async () => (await load?.()) ?? loadGeneral());
  if (Face === 'loading') return <>{meanwhile}</>;
  if (Face === 'failed') return <Instead {...props} text={strings.faces.notLoaded} />;
  return (
    <FaceBoundary name={name} fallback={<Instead {...props} text={strings.faces.broken} />}>
      <Face {...given} />
    </FaceBoundary>
  );
}

/** The general face, with why it is there. */
function Instead<Given extends object>({
  name,
  given,
  loadGeneral,
  meanwhile,
  text,
}: Props<Given> & { readonly text: string }): JSX.Element {
  const Face = useLoaded(`general face in place of ${name}`, loadGeneral);
  return (
    <>
      <p class="f-notice" role="status">
        {text}
      </p>
      {Face === 'loading' && meanwhile}
      {typeof Face !== 'string' && (
        <FaceBoundary name={`general face in place of ${name}`} fallback={null}>
          <Face {...given} />
        </FaceBoundary>
      )}
    </>
  );
}

function useLoaded<Given extends object>(
  name: string,
  load: () => Promise<ComponentType<Given>>,
): ComponentType<Given> | 'loading' | 'failed' {
  // In a list, since a state that is a function would be called.
  const [[loaded], setLoaded] = useState<readonly [ComponentType<Given> | 'loading' | 'failed']>(['loading']);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (Face) => isWanted && setLoaded([Face]),
      (error: unknown) => {
        console.error(`The ${name} could not be loaded.`, error);
        if (isWanted) setLoaded(['failed']);
      },
    );
    return () => {
      isWanted = false;
    };
    // `load` is made for each rendering; the name says which it is.
  }, [name]);
  return loaded;
}
