import { type Opening, usePanel, usePanelWords, useSeen, later } from './panel-context.tsx';
import * as lucide from 'lucide-preact';
import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FaceActions } from '../faces/face.ts';
import { TitlesContext } from './call-face.tsx';
import { ActionsContext, useActions } from '../kit.tsx';
import { Now } from '../../activity/panel/now.tsx';
import { Timeline } from '../../activity/panel/timeline.tsx';

type PanelPart = 'now' | 'timeline' | 'runs' | 'outputs' | 'ledger' | 'meter' | 'allowed' | 'settings';

const PARTS: readonly (readonly [PanelPart, lucide.LucideIcon, ComponentType<Opening>])[] = [
  ['now', lucide.Activity, Now],
  ['timeline', lucide.History, Timeline],
  ['runs', lucide.Workflow, later(async () => (await import('../../runs/panel/runs.tsx')).Runs)],
  ['outputs', lucide.Archive, later(async () => (await import('../../outputs/panel/outputs.tsx')).Outputs)],
  ['ledger', lucide.ScrollText, later(async () => (await import('../../ledger/panel/ledger.tsx')).Ledger)],
  ['meter', lucide.Gauge, later(async () => (await import('../../activity/panel/meter.tsx')).Meter)],
  [
    'allowed',
    lucide.ShieldCheck,
    later(async () => (await import('../../people/panel/allowed.tsx')).Allowed),
  ],
  ['settings', lucide.Settings2, later(async () => (await import('./settings.tsx')).Settings)],
];

/** In `localStorage`, so that it is known before the first paint. */
const PART_KEY = 'part';
const lastPart = (): PanelPart =>
  PARTS.find(([part]) => part === localStorage.getItem(PART_KEY))?.[0] ?? 'now';

/** @param isMain without a question, they are the page's main content */
export function Parts({ isMain }: { readonly isMain: boolean }) {
  const { feed, strings } = usePanel();
  const [selected, setSelected] = useState(lastPart);
  const select = (part: PanelPart): void => {
    localStorage.setItem(PART_KEY, part);
    setSelected(part);
  };
  /** The output and the run that are open. */
  const [opened, setOpened] = useState<Partial<Record<PanelPart, string | null>>>({});
  const open = (part: PanelPart, id: string | null): void =>
    setOpened((before) => ({ ...before, [part]: id }));
  const goTo =
    (part: PanelPart) =>
    (id: string): void => {
      open(part, id);
      select(part);
    };
  const actions: FaceActions = { ...useActions(), openOutput: goTo('outputs'), openRun: goTo('runs') };
  return (
    <ActionsContext.Provider value={actions}>
      <TitlesContext.Provider value={feed.timeline.names.value.titles}>
        {/* Always the same element, so that open details stay open. */}
        <section class="parts" role={isMain ? 'main' : undefined} aria-label={strings.parts.label}>
          <TabList selected={selected} onSelect={select} />
          {/* It scrolls, and may contain nothing else that takes the focus. */}
          <div
            id="part"
            class={`part ${selected}`}
            role="tabpanel"
            aria-labelledby={`tab-${selected}`}
            tabIndex={0}
          >
            {PARTS.map(
              ([part, , Shown]) =>
                part === selected && (
                  <Shown key={part} opened={opened[part] ?? null} onOpen={(id) => open(part, id)} />
                ),
            )}
          </div>
        </section>
      </TitlesContext.Provider>
    </ActionsContext.Provider>
  );
}

type TabListProps = { readonly selected: PanelPart; readonly onSelect: (id: PanelPart) => void };

/** A larger count does not fit on an icon. */
const MAX_SHOWN = 99;

/**
 * All tabs fit in the narrowest panel, without a menu. Arrows, Home and End move between them, as in every tab list.
 */
function TabList({ selected, onSelect }: TabListProps) {
  const { state, feed } = usePanel();
  const { parts } = usePanelWords();
  const refusals = useSeen(state.refused.at(0)?.at ?? 0, selected === 'allowed');
  const held = feed.controls.value.length;
  const asking = feed.runs.asking.value;
  const active = feed.runs.rows.value.filter(({ run: { status } }) => status === 'running').length;
  const unaccepted = feed.upstreams.unaccepted.value;
  const unseen = state.refused.filter(({ at }) => at > refusals).length;
  /** The number of items of a part that need attention, with a description; shown if there are any. */
  const wants: Partial<Record<PanelPart, readonly [count: number, text: string]>> = {
    now: [held, parts.heldAgents({ count: held })],
    runs:
      asking > 0
        ? [asking, parts.askingRuns({ count: asking })]
        : [active, parts.activeRuns({ count: active })],
    allowed: [unseen, parts.newRefusals({ count: unseen })],
    settings: [unaccepted, parts.unacceptedTools({ count: unaccepted })],
  };
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = PARTS.findIndex(([id]) => id === selected);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % PARTS.length,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const to = steps[event.key];
    const [id] = (to === undefined ? undefined : PARTS.at(to)) ?? [];
    if (id === undefined) return;
    event.preventDefault();
    onSelect(id);
    list.current?.querySelector<HTMLElement>(`#tab-${id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={parts.label} ref={list} onKeyDown={onKeyDown}>
      {PARTS.map(([id, Icon]) => {
        const [count, text] = wants[id] ?? [0, ''];
        return (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            title={parts[id]}
            aria-selected={id === selected}
            aria-controls="part"
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            <Icon size={16} aria-hidden="true" />
            <span class="name clip">{parts[id]}</span>
            {count > 0 && [
              ' ',
              <span class="badge" title={text}>
                {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
              </span>,
            ]}
          </button>
        );
      })}
    </div>
  );
}
