/* global chrome -- The least that an extension can do with a native host: echo, and send at full speed. */
const port = chrome.runtime.connectNative('com.spillway.bare');

port.onMessage.addListener((message) => {
  if (message.flood === undefined) return port.postMessage(message);
  const data = 'spillway'.repeat(message.flood.units / 8);
  for (let seq = 0; seq < message.flood.frames; seq += 1) port.postMessage({ stream: 1, seq, data });
});
