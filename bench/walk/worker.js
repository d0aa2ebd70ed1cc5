/* global chrome, document, Node, NodeFilter */

/*
 * Stands in for Spillway's worker before its own content script, page.js: asks it to read and
 * takes the parts, and has the page note when it began and ended to walk.
 */

const CONTEXT = {
  refPrefix: '',
  linePrefix: '',
  isTop: true,
  follows: false,
  bufferBytes: 64 * 2 ** 20,
  budget: null,
  isCompared: false,
  isOpen: false,
};
/** More than the elements of any page that is measured. */
const NUMBERS = 2 ** 20;
let lastId = 0;

/** Runs in the isolated world before page.js: notes the page's own times of what it says. */
function noteTimes() {
  const connect = chrome.runtime.connect.bind(chrome.runtime);
  chrome.runtime.connect = (...args) => {
    const port = connect(...args);
    const post = port.postMessage.bind(port);
    port.postMessage = (message) => {
      if (message.type === 'started') port.startedAt = performance.now();
      const walkMs = message.type === 'part' ? performance.now() - port.startedAt : null;
      post({ ...message, walkMs });
    };
    return port;
  };
}

/** Injects the content script and answers its port. */
globalThis.connectPage = async (tabId) => {
  const connected = new Promise((fulfil) => chrome.runtime.onConnect.addListener(fulfil));
  await chrome.scripting.executeScript({ target: { tabId }, func: noteTimes });
  await chrome.scripting.executeScript({ target: { tabId }, files: ['page.js'] });
  globalThis.port = await connected;
};

/** The least a walk can be: each element asked whether it is rendered, each text taken. */
function bareLoop(runs) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let text = '';
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.nodeType === Node.TEXT_NODE) text += node.data;
      else if (!node.checkVisibility()) text += ' ';
    times.push(text === '' ? null : performance.now() - startedAt);
  }
  return times;
}

/** Times of the bare loop in the page, in milliseconds. */
globalThis.bareLoops = async (tabId, runs) => {
  const [answer] = await chrome.scripting.executeScript({ target: { tabId }, func: bareLoop, args: [runs] });
  return answer.result;
};

/** One read: what the walk took in the page until its first part, and what it wrote. */
globalThis.readOnce = (asked) =>
  new Promise((fulfil, reject) => {
    const { port } = globalThis;
    const id = ++lastId;
    let walkMs = null;
    let text = '';
    const listen = (message) => {
      if (message.id !== id || message.type === 'started') return;
      if (message.type === 'failed') reject(new Error(message.message));
      walkMs ??= message.walkMs;
      for (const piece of message.pieces ?? []) text += typeof piece === 'string' ? piece : '';
      if (message.done === null) return port.postMessage({ type: 'pull', id });
      port.onMessage.removeListener(listen);
      fulfil({ walkMs, text });
    };
    port.onMessage.addListener(listen);
    const options = {
      selector: null,
      main_content_only: false,
      include_links: asked.format !== 'snapshot',
      include_hidden: false,
      ...asked,
    };
    const showing = { viewer: 'bench', numbers: { from: 1 + id * NUMBERS, to: (id + 1) * NUMBERS } };
    const context = { ...CONTEXT, budget: asked.budget ?? null };
    port.postMessage({ type: 'read', id, options, context, showing });
  });
