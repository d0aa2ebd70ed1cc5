import '../ports/zod-setup.ts';
import browser, { type Runtime } from 'webextension-polyfill';
import { logMalformed } from '../ports/read-message.ts';
import { POPUP_PORT, PopupState, type PopupRequest } from './protocol.ts';
import { sidePanelOpener } from './side-panel.ts';
import { settingOf, type Language, type LanguageSetting } from '../words/languages.ts';
import { chooseSetting, onLanguage } from '../words/setting.ts';
import { followTheme } from '../theme/theme.ts';
import { popupTexts } from '../words/texts.ts';
import { agentRows, statusOf } from './view.ts';

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The popup has no element ${id}.`);
}

const status = element('status', HTMLElement);
const label = element('label', HTMLInputElement);
const saved = element('saved', HTMLElement);
const copy = element('copy', HTMLButtonElement);
const debugging = element('debugging', HTMLElement);
const asks = element('asks', HTMLInputElement);
const clientAnswers = element('client-answers', HTMLInputElement);

const languages = element('language', HTMLSelectElement);

let port: Runtime.Port | null = null;
let retryAt: number | null = null;
let state: PopupState | null = null;
let language: Language = 'en';
let words = popupTexts[language];

/** A worker that was ended is started again by connecting to it. */
function connect(): void {
  port = browser.runtime.connect({ name: POPUP_PORT });
  port.onMessage.addListener((message) => {
    const parsed = PopupState.safeParse(message);
    if (!parsed.success) return logMalformed(POPUP_PORT, parsed.error);
    state = parsed.data;
    show(state);
  });
  port.onDisconnect.addListener(connect);
}

function ask(request: PopupRequest): void {
  port?.postMessage(request);
}

function setText(id: string, text: string): void {
  const target = element(id, HTMLElement);
  // A live region is read out again when it is written again.
  if (target.textContent !== text) target.textContent = text;
}

/** Writes the popup in a language. */
function speak(next: Language, setting: LanguageSetting): void {
  language = next;
  words = popupTexts[language];
  document.documentElement.lang = language;
  languages.value = setting;
  for (const [key, text] of Object.entries(words.page))
    for (const target of document.querySelectorAll(`[data-text="${key}"]`)) target.textContent = text;
  copy.ariaLabel = words.copyCommand;
  copy.title = words.copy;
  label.placeholder = words.namePlaceholder;
  if (state !== null) show(state);
}

function show(state: PopupState): void {
  const { kind, headline, detail, command, retryAt: next } = statusOf(state, language);
  status.dataset['kind'] = kind;
  setText('headline', headline);
  setText('detail', detail);
  setText('command-text', command ?? '');
  element('command', HTMLElement).hidden = command === null;
  element('retry-row', HTMLElement).hidden = next === null;
  retryAt = next;
  count();
  showDebugging(state.isDebuggingCancelled);
  element('questions', HTMLElement).hidden = state.questions === 0;
  setText('questions-text', words.questions(state.questions));
  const rows = agentRows(state.servers, words);
  element('agents', HTMLElement).hidden = rows.length === 0;
  element('agent-list', HTMLElement).replaceChildren(...rows.map(agentRow));
  setText('version', state.version);
  setText('product', `${state.browser.name} ${state.browser.version}`);
  asks.checked = state.asks;
  clientAnswers.checked = state.clientAnswers;
  if (document.activeElement !== label) label.value = state.browser.label ?? '';
}

function showDebugging(isCancelled: boolean): void {
  const hadFocus = debugging.contains(document.activeElement);
  debugging.hidden = !isCancelled;
  if (isCancelled || !hadFocus) return;
  // The pressed button was removed: keyboard focus moves to the card above it.
  status.focus();
  confirm(element('allowed', HTMLElement), words.debuggingAllowed);
}

function agentRow({ name, via }: { name: string; via: string }): HTMLElement {
  const row = document.createElement('li');
  for (const [className, text] of [
    ['name', name],
    ['via', via],
  ] as const) {
    const part = row.appendChild(document.createElement('span'));
    part.className = className;
    part.textContent = text;
    part.title = text;
  }
  return row;
}

/** The browser opens the side panel of a window only in the click itself, so the window is looked up before. */
async function offerPanel(): Promise<void> {
  const { id: windowId } = await browser.windows.getCurrent();
  const open = windowId === undefined ? null : sidePanelOpener(windowId);
  // Not every browser that runs the extension has one.
  if (open === null) return;
  element('panel', HTMLButtonElement).addEventListener('click', () => {
    void open().then(() => window.close());
  });
  element('panel-row', HTMLElement).hidden = false;
}

/** Shows the seconds until the next attempt. */
function count(): void {
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
  setText('countdown', seconds > 1 ? words.retryingIn(seconds) : '');
}

/** Says `done` for as long as it takes to read it. */
function confirm(target: HTMLElement, done: string, after: () => void = () => {}): void {
  target.textContent = done;
  setTimeout(() => {
    target.textContent = '';
    after();
  }, 1_500);
}

copy.addEventListener('click', () => {
  const command = element('command-text', HTMLElement).textContent;
  void navigator.clipboard.writeText(command).then(() => {
    copy.dataset['done'] = '';
    confirm(element('copied', HTMLElement), words.copied, () => delete copy.dataset['done']);
  });
});
element('allow', HTMLButtonElement).addEventListener('click', () => ask({ type: 'allow_debugging' }));
element('decide', HTMLButtonElement).addEventListener('click', () => {
  ask({ type: 'show_questions' });
  window.close();
});
element('rules', HTMLButtonElement).addEventListener('click', () => {
  void browser.runtime.openOptionsPage().then(() => window.close());
});
void offerPanel();
asks.addEventListener('change', () => ask({ type: 'asks', asks: asks.checked }));
clientAnswers.addEventListener('change', () =>
  ask({ type: 'client_answers', areAllowed: clientAnswers.checked }),
);
element('retry', HTMLButtonElement).addEventListener('click', () => ask({ type: 'retry' }));
label.addEventListener('change', () => {
  ask({ type: 'label', label: label.value });
  confirm(saved, words.saved);
});
label.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') label.blur();
});
languages.addEventListener('change', () => void chooseSetting(settingOf(languages.value)));
setInterval(count, 500);
followTheme();
onLanguage(speak);
connect();
