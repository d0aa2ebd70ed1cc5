import type { PanelRequest } from '../../ports/requests.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { messageOf } from '../../../shared/message-of.ts';
import type { ThemeSetting } from '../../theme/apply.ts';
import type { LanguageSetting } from '../../words/languages.ts';
import { panelTexts, type PanelWords } from '../../words/en/panel.ts';
import { useTexts } from '../../words/use-texts.ts';
import type { PanelFeed } from '../feed/panel-feed.ts';
import type { PanelState } from '../protocol.ts';

export interface Look {
  readonly language: LanguageSetting;
  readonly theme: ThemeSetting;
}

export interface Panel {
  readonly state: PanelState;
  readonly feed: PanelFeed;
  readonly look: Look;
  readonly request: (request: PanelRequest) => void;
  /** Opens the rules page. */
  readonly onRules: () => void;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error('A part of the panel is shown outside of it.');
  return panel;
}

/** The panel's words in the person's language. */
export const usePanelWords = (): PanelWords => useTexts(panelTexts);

export const problemOf = (done: Promise<unknown>): Promise<string | null> => done.then(() => null, messageOf);
