import type { PanelRequest } from '../../people/requests-port.ts';
import { createContext, type ComponentType } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../shared/base/message-of.ts';
import type { ThemeSetting } from '../theme/apply.ts';
import type { LanguageSetting } from '../words/locale.ts';
import { panelTexts, type PanelWords } from '../words/en/panel.ts';
import { useTexts } from '../words/use-texts.ts';
import type { PanelFeed } from './panel-feed.ts';
import type { PanelState } from './protocol.ts';
import { Problem } from '../kit.tsx';
import { useLoaded } from '../face-boundary.tsx';

export type Look = { readonly language: LanguageSetting; readonly theme: ThemeSetting };

interface Panel {
  readonly state: PanelState;
  readonly feed: PanelFeed;
  readonly look: Look;
  readonly request: (request: PanelRequest) => void;
  /** Opens the rules page. */
  readonly onRules: () => void;
}

export interface Opening {
  /** The id of what is open; null for nothing. */
  readonly opened: string | null;
  readonly onOpen: (id: string | null) => void;
}

export const PanelContext = createContext<Panel | null>(null);

/** The panel's words in the person's language. */
export const usePanelWords = (): PanelWords => useTexts(panelTexts);

export function usePanel() {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error('A part of the panel is shown outside of it.');
  return { ...panel, strings: usePanelWords() };
}

/** Why a list is empty while no agent is connected; null otherwise. */
export function useNobody(): string | null {
  const { noAgents } = usePanelWords();
  return usePanel().feed.servers.value.length === 0 ? noAgents : null;
}

/** The newest item that a person has seen of a list shown in only one place. */
export function useSeen(newest: number, isShown: boolean): number {
  const seen = useRef(newest);
  if (isShown) seen.current = newest;
  return seen.current;
}

/** Waits for what a person asked for, and keeps why it failed. Resolves with whether it succeeded. */
export function useAttempt() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (done: Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    const failed = await done.then(() => null, messageOf);
    setProblem(failed);
    setBusy(false);
    return failed === null;
  };
  return [problem, attempt, isBusy] as const;
}

/**
 * A part whose code is loaded when it is first shown, so that the panel itself appears sooner.
 * @param load imports it
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const { parts: words, again } = usePanelWords();
    const [tries, setTries] = useState(0);
    const found = useLoaded(`part, try ${tries},`, async () => (loaded ??= await load()));
    const Part = loaded ?? found;
    if (typeof Part !== 'string') return <Part {...props} />;
    return Part === 'loading' ? (
      <p class="quiet" role="status">
        {words.loading}
      </p>
    ) : (
      <Problem again={{ name: again, do: () => setTries(tries + 1) }}>{words.loadFailed}</Problem>
    );
  };
}

/** Escape goes back, unless a text that is typed or an open menu takes it. */
export const onEscape =
  (back: () => void) =>
  ({ key, target }: KeyboardEvent): void => {
    const own = target instanceof Element && target.closest('input:not(:placeholder-shown),[popover]');
    if (key === 'Escape' && !own) back();
  };
