import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PanelWords } from '../../words/panel.ts';

interface WithStrings {
  readonly strings: PanelWords;
}

/**
 * A part whose code is loaded when it is shown for the first time, so that the panel itself is there sooner.
 *
 * @param load imports it
 */
export function later<Props extends WithStrings>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props): JSX.Element {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded === null ? 'loading' : 'ready');
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
    const { loading, loadFailed } = props.strings.parts;
    if (state === 'loading')
      return (
        <p class="quiet" role="status">
          {loading}
        </p>
      );
    return (
      <p class="problem" role="alert">
        {loadFailed}{' '}
        <button type="button" class="small" onClick={() => setState('loading')}>
          {props.strings.timeline.again}
        </button>
      </p>
    );
  };
}
