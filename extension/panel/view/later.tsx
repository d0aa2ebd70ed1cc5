import { Button } from '../components/button.tsx';
import { usePanelWords } from './panel-context.ts';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A part whose code is loaded when it is shown for the first time, so that the panel itself is there sooner.
 *
 * @param load imports it
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props): JSX.Element {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded === null ? 'loading' : 'ready');
    const { parts: words, timeline } = usePanelWords();
    const Part = loaded;
    useEffect(() => {
      if (state !== 'loading') return undefined;
      let isShown = true;
      load().then(
        (part) => {
          loaded = part;
          if (isShown) setState('ready');
        },
        () => isShown && setState('failed'),
      );
      return () => {
        isShown = false;
      };
    }, [state]);
    if (Part !== null) return <Part {...props} />;
    if (state === 'loading')
      return (
        <p class="quiet" role="status">
          {words.loading}
        </p>
      );
    return (
      <p class="problem" role="alert">
        {words.loadFailed} <Button onClick={() => setState('loading')}>{timeline.again}</Button>
      </p>
    );
  };
}
