import type { PopupRequest } from '../../people/requests-port.ts';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatList } from '../../ui/words/format.ts';
import { followTheme } from '../../ui/theme/theme.ts';
import { speak } from '../../ui/words/speak.ts';
import { popupTexts } from '../../ui/words/en/popup.ts';
import { PRODUCT, useTexts, WordsContext } from '../../ui/words/use-texts.ts';
import { POPUP_PORT, type PopupState } from './protocol.ts';
import { sidePanelOpener } from './side-panel.ts';
import { connectWorker } from '../../core/ports/from-worker.ts';
import { StatusCard, statusOf } from './status.tsx';

const SAID_MS = 1_500;

function Popup({ state }: { readonly state: PopupState }) {
  const words = useTexts(popupTexts);
  const { servers, tag } = state;
  const { name, version, label } = state.browser;
  return (
    <>
      <header class="together">
        <img src="/icons/48.png" width="24" height="24" alt="" />
        <h1>{PRODUCT}</h1>
        <span id="version" class="quiet end">
          {state.version}
        </span>
      </header>
      <main>
        <Status state={state} />
        <Card
          id="questions"
          kind="asks"
          isShown={state.questions > 0}
          title={words.questions({ count: state.questions })}
        >
          <button
            id="decide"
            type="button"
            class="primary"
            onClick={() => {
              ask({ type: 'show_questions' });
              window.close();
            }}
          >
            {words.decide}
          </button>
        </Card>
        <Debugging isCancelled={state.isDebuggingCancelled} />
        {/* One row per client; a server whose client has not sent its name yet has one of its own. */}
        <section id="agents" aria-labelledby="agents-title" hidden={servers.length === 0}>
          <h2 id="agents-title">{words.agents}</h2>
          <ul id="agent-list" class="divided">
            {servers.flatMap(({ version, clients }, server) => {
              const names = clients.map((client) => `${client.name} ${client.version}`.trim());
              return (names.length === 0 ? [words.anAgent] : names).map((name, at) => (
                <li key={`${server} ${at}`} class="together">
                  <span class="clip strong" title={name}>
                    {name}
                  </span>
                  <span class="quiet end">{words.server({ version })}</span>
                  <Stop agent={clients[at]?.name ?? null} stopped={state.stopped} />
                </li>
              ));
            })}
          </ul>
        </section>
        <GiveTab state={state} />
        <div class="together" id="panel-row" hidden={openPanel === null}>
          <button id="panel" type="button" onClick={() => void openPanel?.().then(() => window.close())}>
            {words.openPanel}
          </button>
          <span class="quiet">{words.panelDetail}</span>
        </div>
        {/* This browser's rules, and its name for agents. Its settings are in the side panel. */}
        <section aria-labelledby="browser-title">
          <h2 id="browser-title">{words.browser}</h2>
          <p class="quiet">
            {label === null ? words.tag({ tag }) : label} ({name} {version})
          </p>
          <div class="together" id="last-row">
            <button
              id="rules"
              type="button"
              onClick={() => void browser.runtime.openOptionsPage().then(() => window.close())}
            >
              {words.rules}
            </button>
          </div>
        </section>
      </main>
    </>
  );
}

/** Stops all sessions of an agent, or allows them again. Without a name, all agents. */
function Stop({ agent, stopped }: { readonly agent: string | null } & Pick<PopupState, 'stopped'>) {
  const words = useTexts(popupTexts);
  const isAll = stopped.includes(null);
  const isStopped = isAll || stopped.includes(agent);
  return (
    <button
      type="button"
      class="stop"
      aria-label={
        agent === null
          ? words[isStopped ? 'allowAllAgain' : 'stopAll']
          : words[isStopped ? 'allowAgainOf' : 'stopOf']({ agent })
      }
      onClick={() =>
        ask({ type: 'control', agent: isAll ? null : agent, state: isStopped ? 'on' : 'stopped' })
      }
    >
      {isStopped ? words.allowAgain : words.stop}
    </button>
  );
}

/** One button for each agent that does not have the tab yet. */
function GiveTab({ state: { front, servers } }: { readonly state: PopupState }) {
  const words = useTexts(popupTexts);
  if (front === null) return null;
  const { lentTo } = front;
  const agents = servers.flatMap(({ instance: server, clients }) =>
    clients.map(({ name: agent }) => ({ server, agent })),
  );
  const isLent = (one: GiveTo): boolean =>
    lentTo.some(({ server, agent }) => server === one.server && agent === one.agent);
  const others = agents.filter((one) => !isLent(one));
  return (
    <section id="give">
      {lentTo.length > 0 && (
        <p role="status">{words.given({ agents: formatList(lentTo.map(({ agent }) => reveal(agent))) })}</p>
      )}
      {others.map((one) => (
        <button
          key={`${one.server} ${one.agent}`}
          type="button"
          class="give"
          onClick={() => ask({ type: 'give', ...one })}
        >
          {words.give({ agent: reveal(one.agent) })}
        </button>
      ))}
    </section>
  );
}

type GiveTo = NonNullable<PopupState['front']>['lentTo'][number];

function Status({ state }: { readonly state: PopupState }) {
  const words = useTexts(popupTexts);
  const view = statusOf(state, useContext(WordsContext));
  const retryAt = state.link.kind === 'failed' ? state.link.retryAt : null;
  const [, draw] = useState(0);
  useEffect(() => {
    if (retryAt === null) return undefined;
    const timer = setInterval(() => draw(Date.now()), 500);
    return () => clearInterval(timer);
  }, [retryAt]);
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - Date.now()) / 1_000);
  return (
    <StatusCard view={view} copy={<Copy text={view.command ?? ''} />}>
      <div id="retry-row" class="together" hidden={retryAt === null}>
        <button id="retry" type="button" class="primary" onClick={() => ask({ type: 'retry' })}>
          {words.again}
        </button>
        <span id="countdown" class="number" aria-hidden="true">
          {seconds > 1 && words.retryingIn({ seconds })}
        </span>
      </div>
    </StatusCard>
  );
}

/** Shows a confirmation for as long as it takes to read it. */
function useSaid(): readonly [isSaid: boolean, say: () => void] {
  const [isSaid, set] = useState(false);
  useEffect(() => {
    if (!isSaid) return undefined;
    const timer = setTimeout(() => set(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isSaid]);
  return [isSaid, () => set(true)];
}

function Copy({ text }: { readonly text: string }) {
  const words = useTexts(popupTexts);
  const [isCopied, say] = useSaid();
  return (
    <>
      <button
        id="copy"
        type="button"
        aria-label={words.copyCommand}
        title={words.copy}
        data-done={isCopied ? '' : undefined}
        onClick={() => void navigator.clipboard.writeText(text).then(say)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path class="sheets" d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2" />
          <path class="tick" d="M3 8.5l3.5 3.5L13 4.5" />
        </svg>
      </button>
      <span id="copied" class="unseen" role="status">
        {isCopied && words.copied}
      </span>
    </>
  );
}

interface CardProps {
  readonly id: string;
  readonly kind: string;
  readonly isShown: boolean;
  readonly title: string;
  readonly detail?: string;
  readonly children: ComponentChildren;
}

const Card = ({ id, kind, isShown, title, detail, children }: CardProps) => (
  <section id={id} class="card box" data-kind={kind} aria-labelledby={`${id}-title`} hidden={!isShown}>
    <h2 id={`${id}-title`} class="headline dot">
      {title}
    </h2>
    {detail !== undefined && <p>{detail}</p>}
    <div class="together">{children}</div>
  </section>
);

function Debugging({ isCancelled }: { readonly isCancelled: boolean }) {
  const words = useTexts(popupTexts);
  const [isAllowed, say] = useSaid();
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  hadFocus.current = button.current !== null && button.current === document.activeElement;
  useLayoutEffect(() => {
    if (isCancelled || !hadFocus.current) return;
    // The pressed button was removed: keyboard focus moves to the card above it.
    document.getElementById('status')?.focus();
    say();
  }, [isCancelled]);
  return (
    <>
      <Card
        id="debugging"
        kind="cancelled"
        isShown={isCancelled}
        title={words.debuggingCancelled}
        detail={words.debuggingDetail}
      >
        <button
          id="allow"
          type="button"
          class="primary"
          ref={button}
          onClick={() => ask({ type: 'allow_debugging' })}
        >
          {words.allowDebugging}
        </button>
      </Card>
      <p id="allowed" class="unseen" role="status">
        {isAllowed && words.debuggingAllowed}
      </p>
    </>
  );
}

/** The browser opens a window's side panel only during the click itself, so the window is looked up before. */
const { id: windowId } = await browser.windows.getCurrent();
/** Null if the browser has no side panel. */
const openPanel = windowId === undefined ? null : sidePanelOpener(windowId);
let state: PopupState | null = null;

const show = speak(document.body, { draw: () => state && <Popup state={state} /> });
const ask = connectWorker<PopupState, PopupRequest>(POPUP_PORT, (now) => {
  state = now;
  show();
});
followTheme();
