import { createElement, render, type ComponentChildren } from 'preact';
import browser from 'webextension-polyfill';
import { addTranslation, type Translation } from './catalogue.ts';
import { formatIn, type Language, type LanguageSetting } from './locale.ts';
import { onLanguage } from './setting.ts';
import { WordsContext } from './use-texts.ts';

/** A page loads the texts that are not English when it speaks them: as a text, since the worker has parts of the module. */
const FILES = import.meta.glob<string>('./*.json', { query: '?raw', import: 'default' });

async function load(language: Language): Promise<void> {
  const file = await FILES[`./${language}.json`]?.();
  if (file === undefined) return;
  addTranslation(language, JSON.parse(file) as Translation);
}

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
      formatIn(language, browser.i18n.getUILanguage());
      page.onLanguage?.(language, setting);
      draw();
    };
    // After an update of the extension its old files are gone: English is shown.
    void load(language).then(show, show);
  });
  return draw;
}
