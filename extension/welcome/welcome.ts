import '../ports/zod-setup.ts';
import browser from 'webextension-polyfill';
import { logMalformed } from '../ports/read-message.ts';
import { POPUP_PORT, PopupState } from '../popup/protocol.ts';
import { statusOf } from '../popup/view.ts';
import { followTheme } from '../theme/theme.ts';
import type { Language } from '../words/languages.ts';
import { onLanguage } from '../words/setting.ts';
import { welcomeTexts } from '../words/texts.ts';

/** What adds Spillway to each client, where a command does. */
const clients = (spillway: string): readonly (readonly [name: string | null, command: string])[] => [
  ['Claude Code', `claude mcp add spillway -- ${spillway} --output-mode-default auto`],
  ['Codex', `codex mcp add spillway -- ${spillway} --output-mode-default auto`],
  [null, `${spillway} install`],
];

let state: PopupState | null = null;
let language: Language = 'en';

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
};

function show(): void {
  const words = welcomeTexts[language];
  document.documentElement.lang = language;
  for (const [key, text] of Object.entries(words.page))
    for (const target of document.querySelectorAll(`[data-text="${key}"]`)) target.textContent = text;
  element('samples').replaceChildren(
    ...clients(state?.command ?? 'spillway').map(([name, command], at) =>
      sample(name ?? words.others, words.prompts[at] ?? '', command),
    ),
  );
  if (state === null) return;
  const { kind, headline, detail, command } = statusOf(state, language);
  element('status').dataset['kind'] = kind;
  element('headline').textContent = headline;
  element('detail').textContent = detail;
  // What adds Spillway to a client is below.
  element('command').hidden = command === null || kind === 'connected';
  element('command-text').textContent = command ?? '';
}

function sample(client: string, prompt: string, command: string): HTMLElement {
  const row = document.createElement('li');
  const name = row.appendChild(document.createElement('p'));
  name.className = 'client';
  name.textContent = client;
  row.appendChild(document.createElement('q')).textContent = prompt;
  const box = row.appendChild(document.createElement('div'));
  box.className = 'command';
  box.appendChild(document.createElement('code')).textContent = command;
  return row;
}

/** A worker that was ended is started again by connecting to it. */
function connect(): void {
  const port = browser.runtime.connect({ name: POPUP_PORT });
  port.onMessage.addListener((message) => {
    const parsed = PopupState.safeParse(message);
    if (!parsed.success) return logMalformed(POPUP_PORT, parsed.error);
    state = parsed.data;
    show();
  });
  port.onDisconnect.addListener(connect);
}

async function offerPin(): Promise<void> {
  element('pin').hidden = (await browser.action.getUserSettings()).isOnToolbar === true;
}

followTheme();
onLanguage((chosen) => {
  language = chosen;
  show();
});
void offerPin();
connect();
