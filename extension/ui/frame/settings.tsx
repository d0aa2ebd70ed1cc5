import { Button, KeyValues } from '../kit.tsx';
import { Select } from '../select.tsx';
import { settingTexts } from '../words/en/parts.ts';
import { useTexts } from '../words/use-texts.ts';
import { usePanel, usePanelWords } from './panel-context.tsx';
import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { TRACES_KEY, WANTED_KEY } from '../../act/trace-port.ts';
import { useStored } from '../../act/panel/act-trace.tsx';
import { Health } from '../../doctor/panel/health.tsx';
import { Upstreams } from '../../upstreams/panel/upstreams.tsx';
import { settingOf as themeOf, THEMES } from '../theme/apply.ts';
import { chooseTheme } from '../theme/theme.ts';
import { LANGUAGES, settingOf } from '../words/locale.ts';
import { chooseSetting } from '../words/setting.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import { formatList } from '../words/format.ts';

const SAVED_MS = 2_000;
/** Each in itself. */
const LANGUAGE_NAMES = LANGUAGES.map(([id, name]) => [id, name, id] as const);

/** The name that a person gives this browser, for agents. */
function BrowserName() {
  const { state, request } = usePanel();
  const settings = useTexts(settingTexts);
  const kept = state.own.browser.label ?? '';
  /** Null without unsaved changes. */
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
        <span class="line">
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
            onKeyDown={({ key, isComposing }) => {
              if (key === 'Enter' && !isComposing) save();
              if (key === 'Escape') setDraft(null);
            }}
          />
          <span class="quiet" role="status">
            {isSaved && settings.saved}
          </span>
        </span>
      </div>
      <p id="browser-name-detail" class="quiet above">
        {settings.nameDetail}
      </p>
    </section>
  );
}

export function Settings() {
  const { state, look, request, onRules } = usePanel();
  const { risks: names } = usePanelWords();
  const settings = useTexts(settingTexts);
  const { policy, own } = state;
  const named = (risks: readonly Risk[]): string =>
    risks.length === 0 ? settings.none : formatList(risks.map((risk) => names[risk]));
  return (
    <>
      {!state.isPanel && <p class="quiet">{settings.onlyShows}</p>}
      <section aria-labelledby="policy-title">
        <h2 id="policy-title">{settings.policy}</h2>
        {policy.isDamaged && <p class="notice">{settings.damaged}</p>}
        <KeyValues
          rows={[
            [settings.allowed, named(policy.allowed)],
            [settings.asked, named(policy.asked)],
            [settings.denied, named(policy.denied)],
          ]}
        />
        <p class="quiet above">{settings.elsewhere({ count: policy.rules })}</p>
        <Switch
          isOn={own.asks}
          text={settings.asks}
          detail={own.asks ? null : settings.asksOff}
          onChange={(asks) => request({ type: 'asks', asks })}
        />
        <Switch
          isOn={own.clientAnswers}
          text={settings.clientAnswers}
          detail={settings.clientAnswersDetail}
          onChange={(areAllowed) => request({ type: 'client_answers', areAllowed })}
        />
        <TraceSwitch />
        <Button onClick={onRules}>{settings.rules}</Button>
      </section>
      {/* All pages of the extension follow these at once. */}
      <section aria-labelledby="appearance-title">
        <h2 id="appearance-title">{settings.appearance}</h2>
        <div class="fields">
          <label for="panel-language">{settings.language}</label>
          <Select
            id="panel-language"
            value={look.language}
            disabled={!state.isPanel}
            options={[['auto', settings.asBrowser], ...LANGUAGE_NAMES]}
            onChange={(chosen) => void chooseSetting(settingOf(chosen))}
          />
          <label for="panel-theme">{settings.theme}</label>
          <Select
            id="panel-theme"
            value={look.theme}
            disabled={!state.isPanel}
            options={THEMES.map((one) => [one, settings.themes[one]])}
            onChange={(chosen) => void chooseTheme(themeOf(chosen))}
          />
        </div>
      </section>
      <BrowserName />
      <Upstreams />
      <Health />
    </>
  );
}

/** Whether traces of acts are kept. */
function TraceSwitch() {
  const { traces } = useTexts(settingTexts);
  const isWanted = useStored(browser.storage.local, WANTED_KEY) === true;
  const choose = (wanted: boolean): void => {
    void browser.storage.local.set({ [WANTED_KEY]: wanted });
    if (!wanted) void browser.storage.session.remove(TRACES_KEY);
  };
  return <Switch isOn={isWanted} text={traces.keep} detail={traces.detail} onChange={choose} />;
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly text: string;
  readonly detail: string | null;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch that works only in the side panel. */
const Switch = ({ isOn, text, detail, onChange }: SwitchProps) => (
  <label class="switch check">
    <input
      type="checkbox"
      checked={isOn}
      disabled={!usePanel().state.isPanel}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>
      {text}
      {detail !== null && <span class="quiet own-line">{detail}</span>}
    </span>
  </label>
);
