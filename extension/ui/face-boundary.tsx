import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface BoundaryProps {
  /** Names the face in the log. */
  readonly name: string;
  readonly fallback: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Keeps a face's errors from the rest of the page. Key it by its content: another call gets another try. */
export class FaceBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidCatch(error: unknown): void {
    console.error(`The face ${this.props.name} failed.`, error);
  }

  override render(): ComponentChildren {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/**
 * A component whose code is loaded when it is shown.
 * @param name for the log; a new name loads the component again
 */
export function useLoaded<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>) {
  // In an array, since a state that is a function would be called.
  const [[loaded], setLoaded] = useState<readonly [ComponentType<Props> | 'loading' | 'failed']>(['loading']);
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
    // `load` is new for each rendering; the name identifies it.
  }, [name]);
  return loaded;
}
