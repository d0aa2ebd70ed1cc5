/* Another extension in the same browser, with every permission that helps: tests run their tricks in it. */
// A worker without calls ends after 30 seconds: on a busy machine that is before its first trick.
setInterval(() => chrome.runtime.getPlatformInfo(), 5_000);
/** The answer to a trick, as text. */
globalThis.tried = async (trick) => {
  try {
    return `done: ${JSON.stringify(await trick())}`;
  } catch (error) {
    return `refused: ${error.message}`;
  }
};
/** A port to us answers nothing, and ends. */
globalThis.port = (name, messages) =>
  new Promise((resolve, reject) => {
    const channel = chrome.runtime.connect(globalThis.id, { name });
    channel.onMessage.addListener((message) => resolve(message));
    channel.onDisconnect.addListener(() => reject(new Error(chrome.runtime.lastError?.message ?? 'closed')));
    for (const message of messages) channel.postMessage(message);
  });
