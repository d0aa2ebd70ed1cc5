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
  Minus,
  Search,
  Square,
  SquareCheck,
  Table,
  X,
  type LucideIcon,
} from 'lucide-preact';
import type { JSX } from 'preact';

/** The icons that people see: each one by name, so that a bundle has no other. */
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

interface Props {
  readonly name: IconName;
  /** In pixels. */
  readonly size?: number;
}

/** Decorative: words next to it, or the name of its button, say the same. */
export function Icon({ name, size = 14 }: Props): JSX.Element {
  const Drawn = ICONS[name];
  return <Drawn size={size} class={`c-icon c-icon-${name}`} aria-hidden="true" />;
}
