import '../ports/zod-setup.ts';
import { render } from 'preact';
import { onRulesChange, readRules } from './storage.ts';
import { RulesView } from './view/rules-view.tsx';
import { onLanguage } from '../words/setting.ts';
import { followTheme } from '../theme/theme.ts';
import { rulesTexts } from '../words/rules.ts';

const root = document.getElementById('rules');
let strings = rulesTexts.en;

/** Shows the rules as they are stored: a yes on a card or another page like this may have changed them. */
async function show(): Promise<void> {
  const rules = await readRules();
  if (root !== null) render(<RulesView rules={rules} strings={strings} />, root);
}

onRulesChange(() => void show());
followTheme();
onLanguage((language) => {
  document.documentElement.lang = language;
  strings = rulesTexts[language];
  document.title = `${strings.title} · Spillway`;
  void show();
});
