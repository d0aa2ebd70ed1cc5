import browser from 'webextension-polyfill';
import { POPUP_PORT, type PopupState } from '../popup/protocol.ts';
import { addAgent, StatusCard, statusOf } from '../popup/status.tsx';
import { connectWorker } from '../../core/ports/from-worker.ts';
import { followTheme } from '../../ui/theme/theme.ts';
import { shownLocale, type Language } from '../../ui/words/locale.ts';
import { SPILLWAY } from '../../ui/words/en/link.ts';
import { speak } from '../../ui/words/speak.ts';
import { welcomeTexts } from '../../ui/words/en/popup.ts';

/** Shown once, after the installation: whether it works, and what to try first. */
function Welcome({ language }: { readonly language: Language }) {
  const words = welcomeTexts(language);
  const view = statusOf(state, language);
  const spillway = state?.command ?? SPILLWAY;
  const clients = [
    ['Claude Code', addAgent('claude', spillway)],
    ['Codex', addAgent('codex', spillway)],
    [words.others, `${spillway} install --client all`],
  ] as const;
  const { servers = [], entries = [] } = state ?? {};
  const isInUse = servers.length > 0;
  const needsEntry = !isInUse && entries.length === 0;
  return (
    <>
      <header class="together">
        <img src="/icons/48.png" width="32" height="32" alt="" />
        <h1>{words.title}</h1>
      </header>
      <main>
        <p>{words.intro}</p>
        {/* The instructions for each client are below. */}
        <StatusCard view={view.kind === 'connected' ? { ...view, command: null } : view} />
        {!isPinned && (
          <section id="pin" aria-labelledby="pin-title">
            <h2 id="pin-title">{words.pinTitle}</h2>
            <p>{words.pin}</p>
          </section>
        )}
        <section aria-labelledby="try-title">
          <h2 id="try-title">{words.tryTitle}</h2>
          {!needsEntry && (
            <p>
              {isInUse
                ? words.paste
                : words.restart({ names: new Intl.ListFormat(shownLocale()).format(entries) })}
            </p>
          )}
          <ul id="samples">
            {clients.map(([client, command], at) => (
              <li key={client}>
                {needsEntry && (
                  <>
                    <p class="client strong">{client}</p>
                    <div class="command box">
                      <code>{command}</code>
                    </div>
                  </>
                )}
                <p>
                  {needsEntry && words.thenAsk} <q>{words.prompts[at]}</q>
                </p>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </>
  );
}

/** Null until the worker has answered. */
let state: PopupState | null = null;
let isPinned = true;

const show = speak(document.body, { draw: (language) => <Welcome language={language} /> });
followTheme();
void browser.action.getUserSettings().then(({ isOnToolbar }) => {
  isPinned = isOnToolbar === true;
  show();
});
connectWorker<PopupState, never>(POPUP_PORT, (now) => {
  state = now;
  show();
});
