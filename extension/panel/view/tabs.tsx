import type { Activity } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly icon: typeof Activity;
  /** How many things want attention; shown where there are any. */
  readonly count?: number;
  readonly countOf?: string;
}

interface Props<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly label: string;
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  readonly isMain: boolean;
  readonly children: ComponentChildren;
}

/** A larger count has no room on an icon. */
const MOST_SHOWN = 99;

/**
 * The parts of the panel. All of them have room in the narrowest one: nothing is behind a menu. Arrows, Home and End move
 * between their tabs, as in every tab list.
 */
export function Tabs<Id extends string>({
  tabs,
  label,
  selected,
  onSelect,
  isMain,
  children,
}: Props<Id>): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const to = nextOf(event.key, at, tabs.length);
    const tab = to === null ? undefined : tabs[to];
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  return (
    // One element whatever is asked: what is open in it stays.
    <section class="parts" role={isMain ? 'main' : undefined} aria-label={label}>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, icon: Icon, count = 0, countOf }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            title={title}
            aria-selected={id === selected}
            aria-controls="part"
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            <Icon size={16} aria-hidden="true" />
            <span class="name">{title}</span>
            {count > 0 && (
              <>
                {' '}
                <span class="badge" title={countOf}>
                  {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
                </span>
              </>
            )}
          </button>
        ))}
      </div>
      {/* It scrolls, and may have nothing else that takes the focus. */}
      <div
        id="part"
        class={`part ${selected}`}
        role="tabpanel"
        aria-labelledby={`tab-${selected}`}
        tabIndex={0}
      >
        {children}
      </div>
    </section>
  );
}

function nextOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
