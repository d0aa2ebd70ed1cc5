import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { WordsContext } from '../../components/words.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { settingsTexts } from '../../words/settings.ts';
import { Appearance, type Look } from './appearance.tsx';
import { Health } from './health.tsx';
import { PolicySettings } from './policy-settings.tsx';
import { Upstreams } from './upstreams.tsx';
import type { SettingsProps } from './props.ts';

/** As long as it takes to read that it was saved. */
const SAVED_MS = 2_000;

/** The name that a person gives to this browser, for agents to know it by. */
function BrowserName({ state, words: settings, request }: SettingsProps): JSX.Element {
  const kept = state.own.browser.label ?? '';
  /** What is being typed; null while nothing is. */
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (!isSaved) return;
    const timer = setTimeout(() => setSaved(false), SAVED_MS);
    return () => clearTimeout(timer);
  }, [isSaved]);
  const save = (): void => {
    if (draft === null) return;
    setDraft(null);
    if (draft === kept) return;
    request({ type: 'label', label: draft });
    setSaved(true);
  };
  return (
    <section aria-labelledby="browser-title">
      <h2 id="browser-title">{settings.browser}</h2>
      <div class="fields">
        <label for="browser-name">{settings.name}</label>
        <span class="with-status">
          <input
            id="browser-name"
            type="text"
            maxLength={64}
            autocomplete="off"
            spellcheck={false}
            placeholder={settings.namePlaceholder}
            aria-describedby="browser-name-detail"
            disabled={!state.isPanel}
            value={draft ?? kept}
            onInput={({ currentTarget }) => setDraft(currentTarget.value)}
            onBlur={save}
            onKeyDown={({ key }) => {
              if (key === 'Enter') save();
              if (key === 'Escape') setDraft(null);
            }}
          />
          <span class="quiet" role="status">
            {isSaved && settings.saved}
          </span>
        </span>
      </div>
      <p id="browser-name-detail" class="quiet">
        {settings.nameDetail}
      </p>
    </section>
  );
}

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
