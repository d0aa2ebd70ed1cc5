import { createElement, render, type ComponentChildren } from 'preact';
import type { Language, LanguageSetting } from './languages.ts';
import { onLanguage } from './setting.ts';
import { WordsContext } from './use-texts.ts';

/** By their own names, so that people find theirs. A page loads the texts that are not English when it speaks them. */
export const NAMED_LANGUAGES = {
  en: ['English', () => Promise.resolve()],
  'zh-CN': ['简体中文', () => import('./zh-CN/index.ts')],
} as const satisfies Record<Language, readonly [name: string, load: () => Promise<unknown>]>;

interface SpokenPage {
  /** Null while there is nothing to show yet. */
  readonly draw: (language: Language) => ComponentChildren;
  readonly onLanguage?: (language: Language, setting: LanguageSetting) => void;
}

/**
 * Draws a page in the person's language, now and when they choose another.
 * @returns draws it again
 */
export function speak(root: Element | null, page: SpokenPage): () => void {
  let spoken: Language | null = null;
  const draw = (): void => {
    if (root === null || spoken === null) return;
    const drawn = page.draw(spoken);
    if (drawn !== null) render(createElement(WordsContext.Provider, { value: spoken }, drawn), root);
  };
  let wanted: Language = 'en';
  onLanguage((language, setting) => {
    wanted = language;
    const show = (): void => {
      if (wanted !== language) return;
      spoken = language;
      document.documentElement.lang = language;
      page.onLanguage?.(language, setting);
      draw();
    };
    const [, load] = NAMED_LANGUAGES[language];
    // After an update of the extension its old files are gone: English stands in.
    void load().then(show, show);
  });
  return draw;
}
