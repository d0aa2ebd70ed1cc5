import type { ComponentChildren, JSX } from 'preact';

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'type'> & {
  /** `stop` ends something, `on` undoes what a person has decided, `more` shows more of a list. */
  readonly kind?: 'stop' | 'on' | 'c-more' | 'c-end' | '';
};

/** A button among other text. */
export const Button = ({ kind = '', ...shown }: ButtonProps): JSX.Element => (
  <button {...shown} type="button" class={`c-button ${kind}`} />
);

interface ProblemProps {
  /** Null where there is none. */
  readonly children: ComponentChildren;
  /** What a person can do about it. */
  readonly again?: { readonly name: string; readonly do: () => void };
}

/** What went wrong, as it happens. */
export const Problem = ({ children, again }: ProblemProps): JSX.Element | null =>
  children === null ? null : (
    <p class="problem" role="alert">
      {children} {again !== undefined && <Button onClick={again.do}>{again.name}</Button>}
    </p>
  );
