import { Component, type ComponentChildren } from 'preact';

interface Props {
  /** Names the face in the log. */
  readonly name: string;
  /** What is shown in the place of a face that fails. */
  readonly fallback: ComponentChildren;
  readonly children: ComponentChildren;
}

interface State {
  readonly hasFailed: boolean;
}

/** Keeps what a face throws from the rest of the page. Key it by what it shows: another call gets another chance. */
export class FaceBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static override getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(`The face ${this.props.name} failed.`, error);
  }

  override render(): ComponentChildren {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
