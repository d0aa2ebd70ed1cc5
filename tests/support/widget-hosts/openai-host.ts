import { callServer, frameOf, report, settings, type WidgetHostPage } from './host-page.ts';

/*
 * The smallest host with `window.openai`: the frame's document begins with `globals-host.ts`, which defines it and
 * forwards requests that a widget may not make to this page.
 */
const frame = frameOf();
const tell = (message: object): void => frame.contentWindow?.postMessage({ toGlobals: message }, '*');
const globals = async (changed: object): Promise<void> => tell({ changed });

window.addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  const { fromGlobals } = data as { fromGlobals?: { id?: number; what: string; value: never } };
  if (fromGlobals === undefined) return;
  const { id, what, value } = fromGlobals;
  const answer = answerTo(what, value);
  if (id !== undefined)
    void answer.then(
      (result) => tell({ id, result }),
      (error: unknown) => tell({ id, error: String(error) }),
    );
});

async function answerTo(what: string, value: never): Promise<unknown> {
  const given: { name: string; args: Record<string, unknown>; href: string } = value;
  if (what === 'ready') report.isReady = true;
  if (what === 'callTool') return callServer(given.name, given.args);
  if (what === 'openExternal') report.links.push(given.href);
  if (what === 'setWidgetState') report.states.push(value);
  if (what === 'notifyIntrinsicHeight') {
    report.heights.push(value);
    frame.style.height = `${String(value)}px`;
  }
  return null;
}

const page: WidgetHostPage = {
  report,
  sendInput: (args) => globals({ toolInput: args }),
  sendResult: ({ structuredContent, _meta }) =>
    globals({ toolOutput: structuredContent ?? null, toolResponseMetadata: _meta ?? {} }),
};
window.host = page;
frame.src = `/widget?${new URLSearchParams({ settings: JSON.stringify(settings) }).toString()}`;
