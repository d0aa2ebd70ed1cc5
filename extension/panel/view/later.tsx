import type { ComponentType, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from '../components/button.tsx';
import { useLoaded } from '../components/face-boundary.tsx';
import { usePanelWords } from './panel-context.ts';

/**
 * A part whose code is loaded when it is first shown, so that the panel itself appears sooner.
 * @param load imports it
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props): JSX.Element {
    const { parts: words, timeline } = usePanelWords();
    const [tries, setTries] = useState(0);
    const found = useLoaded(`part, try ${tries},`, async () => (loaded ??= await load()));
    const Part = loaded ?? found;
    if (typeof Part !== 'string') return <Part {...props} />;
    return Part === 'loading' ? (
      <p class="quiet" role="status">
        {words.loading}
      </p>
    ) : (
      <Problem again={{ name: timeline.again, do: () => setTries(tries + 1) }}>{words.loadFailed}</Problem>
    );
  };
}
