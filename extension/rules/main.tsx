import '../ports/zod-setup.ts';
import { render } from 'preact';
import { onRulesChange, readRules } from './storage.ts';
import { RulesView } from './view/rules-view.tsx';
import { onLanguage } from '../words/setting.ts';
import { followTheme } from '../theme/theme.ts';
import type { Language } from '../words/languages.ts';
import { rulesTexts } from '../words/rules.ts';
import { WordsContext } from '../words/use-texts.ts';

const root = document.getElementById('rules');
let spoken: Language = 'en';

/** Shows the stored rules again: a card or another rules page may have changed them. */
async function show(): Promise<void> {
  const rules = await readRules();
  if (root !== null)
    render(
      <WordsContext.Provider value={spoken}>
        <RulesView rules={rules} />
      </WordsContext.Provider>,
      root,
    );
}

onRulesChange(() => void show());
followTheme();
onLanguage((language) => {
  document.documentElement.lang = language;
  spoken = language;
  document.title = `${rulesTexts[language].title} · Spillway`;
  void show();
});
