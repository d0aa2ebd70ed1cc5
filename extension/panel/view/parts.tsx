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
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PanelFeed } from '../feed/panel-feed.ts';
import type { FaceActions } from '../tools/face.ts';
import type { PanelRequest, PanelState } from '../protocol.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { ShownRun } from '../feed/home-lists.ts';
import { TitlesContext } from './call-inspector.tsx';
import { ActionsContext, useActions } from '../components/actions.ts';
import { Grants, Refusals } from './allowed.tsx';
import { Now } from './now/now.tsx';
import type { Look } from './settings/settings.tsx';
import { later } from './later.tsx';
import { type Tab, Tabs } from './tabs.tsx';
import { Timeline } from './timeline/timeline.tsx';
import type { PanelWords } from '../../words/panel.ts';

/** What a person changes by a query. Each resolves with what went wrong, or with null. */
const createActs = (feed: PanelFeed) => ({
  changeRun: (type: 'run_cancel' | 'run_resume', { home, run }: ShownRun): Promise<string | null> =>
    problemOf(feed.client.ask(type, { home, run: run.run_id })).finally(() => void feed.runs.refresh()),
  lift: (server: string, session: string, tokens: number | null): Promise<string | null> =>
    problemOf(feed.client.ask('lift', { server, session, tokens })).finally(() => void feed.meter.refresh()),
});

const problemOf = (done: Promise<unknown>): Promise<string | null> => done.then(() => null, messageOf);

interface Props {
  readonly state: PanelState;
  readonly feed: PanelFeed;
  readonly look: Look;
  readonly strings: PanelWords;
  readonly request: (request: PanelRequest) => void;
  /** Opens the page that edits the rules. */
  readonly onRules: () => void;
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

/** What the panel shows below what is asked. */
export function Parts({ state, feed, look, strings, request, onRules, isMain }: Props): JSX.Element {
  const [selected, setSelected] = useState<Part>(lastPart);
  const select = (part: Part): void => {
    localStorage.setItem(PART_KEY, part);
    setSelected(part);
  };
  const tabs = useTabs(state, feed, { strings, selected });
  const acts = useMemo(() => createActs(feed), [feed]);
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
          {selected === 'now' && (
            <Now
              feed={feed}
              agents={state.agents}
              strings={strings}
              control={
                state.isPanel ? (agent, wanted) => feed.client.control({ agent, state: wanted }) : null
              }
            />
          )}
          {selected === 'timeline' && <Timeline feed={feed} strings={strings} />}
          {selected === 'runs' && (
            <Runs
              feed={feed}
              strings={strings}
              act={state.isPanel ? acts.changeRun : null}
              opened={run}
              onOpen={setRun}
            />
          )}
          {selected === 'outputs' && (
            <Outputs
              feed={feed}
              strings={strings}
              opened={output}
              onOpen={setOutput}
              canDelete={state.isPanel}
            />
          )}
          {selected === 'ledger' && (
            <Ledger feed={feed} strings={strings} command={state.own.command ?? 'spillway'} />
          )}
          {selected === 'meter' && (
            <Meter feed={feed} strings={strings} lift={state.isPanel ? acts.lift : null} />
          )}
          {selected === 'settings' && (
            <Settings
              state={state}
              feed={feed}
              look={look}
              strings={strings}
              request={request}
              onRules={onRules}
            />
          )}
          {selected === 'allowed' && (
            <Allowed state={state} strings={strings} request={request} onRules={onRules} />
          )}
        </Tabs>
      </TitlesContext.Provider>
    </ActionsContext.Provider>
  );
}

/** What a person has allowed, and decisions that were not taken. */
const Allowed = ({
  state,
  strings,
  request,
  onRules,
}: Omit<Props, 'feed' | 'look' | 'isMain'>): JSX.Element => (
  <>
    <Grants
      grants={state.grants}
      strings={strings}
      onRevoke={state.isPanel ? (grant) => request({ type: 'revoke', grant }) : null}
    />
    <button type="button" class="plain" onClick={onRules}>
      {strings.rules}
    </button>
    <Refusals refused={state.refused} strings={strings} />
  </>
);

/** The tabs, with what wants attention. */
function useTabs(
  state: PanelState,
  feed: PanelFeed,
  { strings: { parts }, selected }: { readonly strings: PanelWords; readonly selected: Part },
): readonly Tab<Part>[] {
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
