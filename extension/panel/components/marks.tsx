import type { ComponentChildren, JSX } from 'preact';
import {
  Check,
  ChevronDown,
  ChevronRight,
  ChevronUp,
  CircleSlash,
  Clock,
  Copy,
  Download,
  ExternalLink,
  FileText,
  Image,
  LoaderCircle,
  type LucideIcon,
  Minus,
  Search,
  Square,
  SquareCheck,
  Table,
  X,
} from 'lucide-preact';
import { useWords } from '../../words/en/components.ts';

/** `plain` has no meaning. */
export type Tone = 'busy' | 'good' | 'bad' | 'wait' | 'off' | 'plain';

interface BadgeProps {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}

/** A noticeable word or figure, such as a status. */
export const Badge = ({ tone = 'plain', children }: BadgeProps): JSX.Element => (
  <span class={`c-badge ${tone}`}>{children}</span>
);

/** Imported by name, so that a bundle contains no other icons. */
const ICONS = {
  busy: LoaderCircle,
  good: Check,
  bad: X,
  wait: Clock,
  off: CircleSlash,
  plain: Minus,
  open: ChevronDown,
  closed: ChevronRight,
  up: ChevronUp,
  copy: Copy,
  save: Download,
  link: ExternalLink,
  page: FileText,
  picture: Image,
  search: Search,
  stop: Square,
  done: SquareCheck,
  toDo: Square,
  table: Table,
} as const satisfies Readonly<Record<string, LucideIcon>>;

export type IconName = keyof typeof ICONS;

interface IconProps {
  readonly name: IconName;
  /** In pixels. */
  readonly size?: number;
}

/** Decorative: words next to it, or its button's name, say the same. */
export function Icon({ name, size = 14 }: IconProps): JSX.Element {
  const Drawn = ICONS[name];
  return <Drawn size={size} class={`c-icon c-icon-${name}`} aria-hidden="true" />;
}

interface SkeletonProps {
  readonly lines?: number;
  readonly label?: string;
}

/** A placeholder for content that is loading. */
export function Skeleton({ lines = 3, label }: SkeletonProps): JSX.Element {
  const words = useWords();
  return (
    <div class="c-skeleton" role="status">
      <span class="c-unseen">{label ?? words.loading}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="c-bone" aria-hidden="true" />
      ))}
    </div>
  );
}
