/** A theme, or `auto` for the system's. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type ThemeSetting = (typeof THEMES)[number];

/** Key in `storage.local`, and of the copy in `localStorage`. */
export const KEY = 'theme';

export const settingOf = (stored: unknown): ThemeSetting =>
  THEMES.find((theme) => theme === stored) ?? 'auto';

/** The styles follow `data-theme`, or the system if it is not set. */
export function show(setting: ThemeSetting): void {
  const { dataset } = document.documentElement;
  if (setting === 'auto') delete dataset['theme'];
  else dataset['theme'] = setting;
}
