import type { ComponentChildren, JSX, RefObject } from 'preact';

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'type' | 'ref'> & {
  /** `stop` ends something, `on` undoes a person's decision, `more` shows more of a list. */
  readonly kind?: 'stop' | 'on' | 'c-more' | 'c-end' | '';
  /** Receives the element. */
  readonly at?: RefObject<HTMLButtonElement>;
};

/** A button within text. */
export const Button = ({ kind = '', at, ...shown }: ButtonProps): JSX.Element => (
  <button {...shown} ref={at ?? null} type="button" class={`c-button ${kind}`} />
);

interface ProblemProps {
  /** Null without content. */
  readonly children: ComponentChildren;
  readonly again?: { readonly name: string; readonly do: () => void };
}

export const Problem = ({ children, again }: ProblemProps): JSX.Element | null =>
  children === null ? null : (
    <p class="problem" role="alert">
      {children} {again !== undefined && <Button onClick={again.do}>{again.name}</Button>}
    </p>
  );
