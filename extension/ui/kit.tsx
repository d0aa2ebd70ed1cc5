import { createContext, type ComponentChildren, type JSX, type RefObject } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { FaceActions, FaceAnswer, Tone } from './faces/face.ts';
import * as lucide from 'lucide-preact';
import { useWords } from './words/en/components.ts';
import { formatNumber, formatSize } from './words/format.ts';
import { revealLines, startOf } from './text.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';

/** For places that cannot open anything. */
export const NO_ACTIONS: FaceActions = {
  openLink: null,
  openOutput: null,
  openRun: null,
  page: null,
  recipes: null,
};

export const ActionsContext = createContext(NO_ACTIONS);

export const useActions = (): FaceActions => useContext(ActionsContext);

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'type' | 'ref'> & {
  /** `stop` ends something, `on` undoes a person's decision, `more` shows more of a list. */
  readonly kind?: 'stop' | 'on' | 'above' | 'end' | '';
  /** Receives the element. */
  readonly at?: RefObject<HTMLButtonElement>;
};

/** A button within text. */
export const Button = ({ kind = '', at, ...shown }: ButtonProps) => (
  <button {...shown} ref={at ?? null} type="button" class={`c-button ${kind}`} />
);

interface ProblemProps {
  /** Null without content. */
  readonly children: ComponentChildren;
  readonly again?: { readonly name: string; readonly do: () => void };
}

export const Problem = ({ children, again }: ProblemProps) =>
  children === null ? null : (
    <p class="problem" role="alert">
      {children} {again !== undefined && <Button onClick={again.do}>{again.name}</Button>}
    </p>
  );

type BadgeProps = { readonly tone?: Tone; readonly children: ComponentChildren };

/** A noticeable word or figure, such as a status. */
export const Badge = ({ tone = 'plain', children }: BadgeProps) => (
  <span class={`c-badge clip ${tone}`}>{children}</span>
);

/** Each by its name, so that a bundle contains no other icons. */
const ICONS = {
  busy: lucide.LoaderCircle,
  good: lucide.Check,
  bad: lucide.X,
  wait: lucide.Clock,
  off: lucide.CircleSlash,
  plain: lucide.Minus,
  open: lucide.ChevronDown,
  closed: lucide.ChevronRight,
  up: lucide.ChevronUp,
  copy: lucide.Copy,
  page: lucide.FileText,
  picture: lucide.Image,
  search: lucide.Search,
  done: lucide.SquareCheck,
  toDo: lucide.Square,
  table: lucide.Table,
} as const satisfies Readonly<Record<string, lucide.LucideIcon>>;

export type IconName = keyof typeof ICONS;

/** Decorative: words next to it, or its button's name, say the same. Its size is in pixels. */
export function Icon({ name, size = 14 }: { readonly name: IconName; readonly size?: number }) {
  const Drawn = ICONS[name];
  return <Drawn size={size} class={`c-icon c-icon-${name}`} aria-hidden="true" />;
}

type SkeletonProps = { readonly lines?: number; readonly label?: string };

/** A placeholder for content that is loading. */
export function Skeleton({ lines = 3, label }: SkeletonProps) {
  const words = useWords();
  const bones = Array.from({ length: lines }, () => <span class="c-bone" aria-hidden="true" />);
  return (
    <div class="c-skeleton" role="status">
      <span class="unseen">{label ?? words.loading}</span>
      {bones}
    </div>
  );
}

/** A detail that is closed at first. */
export function useOpen() {
  const [isOpen, setOpen] = useState(false);
  return { id: useId(), isOpen, toggle: () => setOpen(!isOpen) };
}

interface OpenerProps extends Readonly<ReturnType<typeof useOpen>> {
  readonly label?: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** The button that opens a detail. */
export const Opener = ({ id, isOpen, toggle, label, title, children }: OpenerProps) => (
  <button
    type="button"
    class="c-opener"
    aria-expanded={isOpen}
    aria-controls={isOpen ? id : undefined}
    aria-label={label}
    title={title}
    onClick={toggle}
  >
    <Icon name="closed" size={12} />
    {children}
  </button>
);

/** The first items of a list, and the button that shows all or more. */
export function useShown<T>(all: readonly T[], first: number, more?: (values: { count: string }) => string) {
  const words = useWords();
  const [most, setMost] = useState(first);
  const left = all.length - most;
  return [
    all.slice(0, most),
    left > 0 && (
      <Button kind="above" onClick={() => setMost(more === undefined ? Infinity : most + first)}>
        {more === undefined
          ? words.all({ count: formatNumber(all.length) })
          : more({ count: formatNumber(Math.min(first, left)) })}
      </Button>
    ),
  ] as const;
}

type WholeProps = Pick<ButtonProps, 'kind'> & { readonly isWhole?: boolean };

/** Whether all of a long text is shown, and the button that shows it otherwise. */
export function useWhole({ length }: string, { isWhole = false, kind = '' }: WholeProps) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const more = (
    <Button kind={kind} onClick={() => setOpen(true)}>
      {words.showAll({ size: formatSize(length) })}
    </Button>
  );
  return [isWhole || isOpen, more] as const;
}

interface CopyButtonProps {
  readonly text: string;
  /** The label of the button. Default: Copy. */
  readonly name?: string;
  readonly label?: string;
}

/** Copies a text, and shows whether it worked. */
export function CopyButton({ text, name, label }: CopyButtonProps) {
  const words = useWords();
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy');
  const copy = async (): Promise<void> => {
    try {
      // A host's frame lacks clipboard permission, but may still copy a selection: that is tried first.
      if (!copySelected(text)) await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('notCopied');
    }
  };
  return (
    <>
      <Button title={label} onClick={() => void copy()}>
        <Icon name={state === 'copied' ? 'good' : 'copy'} />
        {state === 'copy' && name !== undefined ? name : words[state]}
      </Button>
      <span class="unseen" role="status">
        {state === 'copy' ? '' : words[state]}
      </span>
    </>
  );
}

function copySelected(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put);
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put);
  }
}

const SHOWN_UNITS = 20_000;

interface CodeBlockProps {
  readonly text: string;
  /** The name of a language, or of a field. */
  readonly label?: string;
  /** If unset, a button shows the rest of a long text. */
  readonly isWhole?: boolean;
}

/** Preformatted text with a copy button. */
export function CodeBlock({ text, label, ...place }: CodeBlockProps) {
  const words = useWords();
  const [isWhole, more] = useWhole(text, place);
  const shown = isWhole ? text : startOf(text, SHOWN_UNITS);
  const name = label === undefined || label === '' ? words.code : revealLines(label);
  return (
    <figure class="c-code">
      <figcaption class="line quiet">
        <bdi>{name}</bdi>
        <CopyButton text={text} label={name} />
      </figcaption>
      <pre class="well" tabIndex={0} role="group" aria-label={name} dir="ltr">
        <code>{revealLines(shown)}</code>
      </pre>
      {shown.length < text.length && more}
    </figure>
  );
}

interface Props {
  readonly label: string;
  readonly value: string;
  readonly maxLength?: number;
  readonly onInput: (text: string) => void;
  readonly onEnter?: (event: KeyboardEvent) => void;
}

/** A search field with its label inside while it is empty. */
export const FilterField = ({ label, onInput, onEnter, ...shown }: Props) => (
  <input
    {...shown}
    class="c-filter"
    type="search"
    aria-label={label}
    placeholder={label}
    onInput={({ currentTarget }) => onInput(currentTarget.value)}
    onKeyDown={(event) => event.key === 'Enter' && onEnter?.(event)}
  />
);

/** A name or id that is not ours. */
export const codeOf = (text: string | null) => (text === null ? null : <code>{reveal(text)}</code>);

/** A text that is not ours. */
export const theirs = (text: string | null) => (text === null ? null : <bdi>{reveal(text)}</bdi>);

type KeyValue = readonly [name: ComponentChildren, value: ComponentChildren];

/** Facts, one per line. Null ones are omitted. */
export function KeyValues({ rows }: { readonly rows: readonly KeyValue[] }) {
  const shown = rows.filter(([, value]) => value !== null);
  if (shown.length === 0) return null;
  return <dl class="c-facts">{shown.map(([name, value]) => [<dt>{name}</dt>, <dd>{value}</dd>])}</dl>;
}

/** Types that cannot run anything. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

type PictureProps = NonNullable<FaceAnswer['picture']> & { readonly alt: string };

/** An embedded picture: nothing is loaded for it. */
export function Picture({ mime_type: type, base64, alt }: PictureProps) {
  const words = useWords();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed || !TYPES.includes(type)) return <p class="dim">{words.noPicture}</p>;
  return (
    <img
      class="c-picture"
      src={`data:${type};base64,${base64}`}
      alt={alt === '' ? words.picture : reveal(alt)}
      onError={() => setFailed(true)}
    />
  );
}
