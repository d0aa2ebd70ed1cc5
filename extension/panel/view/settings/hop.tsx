import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';

const ICONS = { ok: CircleCheck, failed: CircleX, warning: TriangleAlert, skipped: CircleDashed } as const;

interface Props {
  readonly status: keyof typeof ICONS;
  /** The status in words. */
  readonly text: string;
  readonly children: ComponentChildren;
}

/** One of several hops, working or not. */
export function Hop({ status, text, children }: Props): JSX.Element {
  const Icon = ICONS[status];
  return (
    <li class={`hop ${status}`}>
      <span class="mark" role="img" aria-label={text} title={text}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div>{children}</div>
    </li>
  );
}
