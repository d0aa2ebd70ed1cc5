import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../components/words.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { settingsTexts } from '../../words/settings.ts';
import { Appearance, type Look } from './appearance.tsx';
import { BrowserName } from './browser-name.tsx';
import { Health } from './health.tsx';
import { PolicySettings } from './policy-settings.tsx';
import { Upstreams } from './upstreams.tsx';
import type { SettingsProps } from './props.ts';

interface Props extends Omit<SettingsProps, 'words'> {
  readonly feed: PanelFeed;
  readonly look: Look;
  /** Opens the page that edits the rules. */
  readonly onRules: () => void;
}

/** What a person decides about Spillway in this browser, and whether all of it works. */
export function Settings({ state, feed, look, strings, request, onRules }: Props): JSX.Element {
  const words = settingsTexts[useContext(WordsContext)];
  return (
    <>
      {!state.isPanel && <p class="quiet only">{words.onlyShows}</p>}
      <PolicySettings state={state} strings={strings} words={words} request={request} onRules={onRules} />
      <Appearance look={look} isFixed={!state.isPanel} words={words} />
      <BrowserName state={state} strings={strings} words={words} request={request} />
      <Upstreams feed={feed} canAccept={state.isPanel} command={state.own.command ?? 'spillway'} />
      <Health state={state} feed={feed} strings={strings} words={words} request={request} />
    </>
  );
}
