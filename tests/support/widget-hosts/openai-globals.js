/* Runs first in a widget's document: `window.openai` as ChatGPT's Apps SDK has it. */
(() => {
  const settings = JSON.parse(new URLSearchParams(location.search).get('settings') ?? '{}');
  const waiting = new Map();
  let lastId = 0;
  const tell = (what, value) => parent.postMessage({ fromGlobals: { what, value } }, '*');
  const ask = (what, value) =>
    new Promise((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, { resolve, reject });
      parent.postMessage({ fromGlobals: { id, what, value } }, '*');
    });
  window.openai = {
    theme: settings.theme,
    locale: 'en-US',
    displayMode: 'inline',
    toolInput: null,
    toolOutput: null,
    toolResponseMetadata: null,
    widgetState: settings.widgetState ?? null,
    setWidgetState: async (state) => {
      window.openai.widgetState = state;
      tell('setWidgetState', state);
    },
    notifyIntrinsicHeight: (heightPx) => tell('notifyIntrinsicHeight', heightPx),
    ...(settings.canCallTools ? { callTool: (name, args) => ask('callTool', { name, args }) } : {}),
    ...(settings.canOpenLinks ? { openExternal: ({ href }) => tell('openExternal', { href }) } : {}),
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data.toGlobals === undefined) return;
    const { id, result, error, changed } = data.toGlobals;
    if (changed !== undefined) {
      Object.assign(window.openai, changed);
      dispatchEvent(new CustomEvent('openai:set_globals', { detail: { globals: changed } }));
    }
    const asked = waiting.get(id);
    waiting.delete(id);
    if (asked !== undefined) error === undefined ? asked.resolve(result) : asked.reject(new Error(error));
  });
  addEventListener('DOMContentLoaded', () => tell('ready'));
})();
