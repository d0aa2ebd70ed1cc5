import '../ports/zod-setup.ts';
import { render } from 'preact';
import { onRulesChange, readRules } from './storage.ts';
import { RulesView } from './view/rules-view.tsx';
import { english } from './words/strings.ts';

const root = document.getElementById('rules');

/** Shows the rules as they are stored: a yes on a card or another page like this may have changed them. */
async function show(): Promise<void> {
  const rules = await readRules();
  if (root !== null) render(<RulesView rules={rules} strings={english} />, root);
}

onRulesChange(() => void show());
void show();
