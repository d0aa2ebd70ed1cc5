import { usePanel, usePanelWords } from './panel-context.ts';
import {
  Activity,
  Archive,
  Gauge,
  History,
  ScrollText,
  Settings2,
  ShieldCheck,
  Workflow,
} from 'lucide-preact';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FaceActions } from '../tools/face.ts';
import { TitlesContext } from './call-inspector.tsx';
import { ActionsContext, useActions } from '../components/actions.ts';
import { Allowed } from './allowed.tsx';
import { Now } from './now/now.tsx';
import { later } from './later.tsx';
import { type Tab, Tabs } from './tabs.tsx';
import { Timeline } from './timeline/timeline.tsx';

interface Props {
  /** Nothing is asked: they are what the page is about. */
  readonly isMain: boolean;
}

const PARTS = ['now', 'timeline', 'runs', 'outputs', 'ledger', 'meter', 'allowed', 'settings'] as const;
type Part = (typeof PARTS)[number];

const Runs = later(async () => (await import('./runs.tsx')).Runs);
const Outputs = later(async () => (await import('./outputs/outputs.tsx')).Outputs);
const Ledger = later(async () => (await import('./ledger.tsx')).Ledger);
const Meter = later(async () => (await import('./meter.tsx')).Meter);
const Settings = later(async () => (await import('./settings/settings.tsx')).Settings);

/** In `localStorage`: it is known before anything is painted. */
const PART_KEY = 'part';
const lastPart = (): Part => PARTS.find((part) => part === localStorage.getItem(PART_KEY)) ?? 'now';

export function Parts({ isMain }: Props): JSX.Element {
  const { feed } = usePanel();
  const strings = usePanelWords();
  const [selected, setSelected] = useState<Part>(lastPart);
  const select = (part: Part): void => {
    localStorage.setItem(PART_KEY, part);
    setSelected(part);
  };
  const tabs = useTabs(selected);
  const [output, setOutput] = useState<string | null>(null);
  const [run, setRun] = useState<string | null>(null);
  const outer = useActions();
  const actions: FaceActions = {
    ...outer,
    openOutput: (handle) => {
      setOutput(handle);
      select('outputs');
    },
    openRun: (runId) => {
      setRun(runId);
      select('runs');
    },
  };
  return (
    <ActionsContext.Provider value={actions}>
      <TitlesContext.Provider value={feed.timeline.names.value.titles}>
        <Tabs tabs={tabs} label={strings.parts.label} selected={selected} onSelect={select} isMain={isMain}>
          {selected === 'now' && <Now />}
          {selected === 'timeline' && <Timeline />}
          {selected === 'runs' && <Runs opened={run} onOpen={setRun} />}
          {selected === 'outputs' && <Outputs opened={output} onOpen={setOutput} />}
          {selected === 'ledger' && <Ledger />}
          {selected === 'meter' && <Meter />}
          {selected === 'settings' && <Settings />}
          {selected === 'allowed' && <Allowed />}
        </Tabs>
      </TitlesContext.Provider>
    </ActionsContext.Provider>
  );
}

/** The tabs, with what wants attention. */
function useTabs(selected: Part): readonly Tab<Part>[] {
  const { state, feed } = usePanel();
  const { parts } = usePanelWords();
  const refusals = useSeen(state.refused.at(0)?.at ?? 0, selected === 'allowed');
  const held = feed.controls.value.length;
  const active = feed.runs.runs.value.filter(({ run: { status } }) => status === 'running').length;
  const unaccepted = feed.upstreams.unaccepted.value;
  const unseen = state.refused.filter(({ at }) => at > refusals).length;
  return [
    { id: 'now', title: parts.now, icon: Activity, count: held, countOf: parts.heldAgents(held) },
    { id: 'timeline', title: parts.timeline, icon: History },
    { id: 'runs', title: parts.runs, icon: Workflow, count: active, countOf: parts.activeRuns(active) },
    { id: 'outputs', title: parts.outputs, icon: Archive },
    { id: 'ledger', title: parts.ledger, icon: ScrollText },
    { id: 'meter', title: parts.meter, icon: Gauge },
    {
      id: 'allowed',
      title: parts.allowed,
      icon: ShieldCheck,
      count: unseen,
      countOf: parts.newRefusals(unseen),
    },
    {
      id: 'settings',
      title: parts.settings,
      icon: Settings2,
      count: unaccepted,
      countOf: parts.unacceptedTools(unaccepted),
    },
  ];
}

/** The newest that a person has seen of something that is shown only in one part. */
function useSeen(newest: number, isShown: boolean): number {
  const [seen, setSeen] = useState(newest);
  useEffect(() => {
    if (isShown) setSeen(newest);
  }, [isShown, newest]);
  return seen;
}
