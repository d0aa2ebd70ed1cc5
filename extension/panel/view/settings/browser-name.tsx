import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SettingsProps } from './props.ts';

/** As long as it takes to read that it was saved. */
const SAVED_MS = 2_000;

/** The name that a person gives to this browser, for agents to know it by. */
export function BrowserName({ state, words: settings, request }: SettingsProps): JSX.Element {
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
