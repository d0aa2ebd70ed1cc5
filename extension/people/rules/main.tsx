import '../../core/ports/zod-setup.ts';
import { onRulesChange, readRules, type StoredRules } from './storage.ts';
import { RulesView } from './view/rules-view.tsx';
import { followTheme } from '../../ui/theme/theme.ts';
import { rulesTexts } from '../../ui/words/en/rules.ts';
import { speak } from '../../ui/words/speak.ts';

let rules: StoredRules | null = null;

const show = speak(document.getElementById('rules'), {
  draw: () => rules && <RulesView rules={rules} />,
  onLanguage: (language) => (document.title = `${rulesTexts(language).title} · Spillway`),
});

/** Shows the stored rules: a card or another rules page may have changed them. */
async function loadRules(): Promise<void> {
  rules = await readRules();
  show();
}

void loadRules();
onRulesChange(() => void loadRules());
followTheme();
