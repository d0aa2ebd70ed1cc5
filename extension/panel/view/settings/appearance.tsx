import type { JSX } from 'preact';
import { THEMES, settingOf as themeOf, type ThemeSetting } from '../../../theme/apply.ts';
import { chooseTheme } from '../../../theme/theme.ts';
import { settingOf, type LanguageSetting } from '../../../words/languages.ts';
import { chooseSetting } from '../../../words/setting.ts';
import type { SettingsStrings } from '../../words/settings.ts';

/** What a person has chosen for all pages of the extension. */
export interface Look {
  readonly language: LanguageSetting;
  readonly theme: ThemeSetting;
}

interface Props {
  readonly look: Look;
  /** It only shows. */
  readonly isFixed: boolean;
  readonly words: SettingsStrings;
}

/** Language and theme, which every page of the extension follows at once. */
export function Appearance({ look: { language, theme }, isFixed, words: settings }: Props): JSX.Element {
  return (
    <section aria-labelledby="appearance-title">
      <h2 id="appearance-title">{settings.appearance}</h2>
      <div class="fields">
        <label for="panel-language">{settings.language}</label>
        <select
          id="panel-language"
          value={language}
          disabled={isFixed}
          onChange={({ currentTarget }) => void chooseSetting(settingOf(currentTarget.value))}
        >
          <option value="auto">{settings.asBrowser}</option>
          {/* A person who cannot read the rest looks for their own language. */}
          <option value="en" lang="en">
            {OWN_NAMES.en}
          </option>
          <option value="zh-CN" lang="zh-CN">
            {OWN_NAMES['zh-CN']}
          </option>
        </select>
        <label for="panel-theme">{settings.theme}</label>
        <select
          id="panel-theme"
          value={theme}
          disabled={isFixed}
          onChange={({ currentTarget }) => void chooseTheme(themeOf(currentTarget.value))}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {settings.themes[one]}
            </option>
          ))}
        </select>
      </div>
    </section>
  );
}

/** Each in its own language, whatever the panel speaks. */
const OWN_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
