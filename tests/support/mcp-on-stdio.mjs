import { createInterface } from 'node:readline';

// What MCP servers of tests have in common: messages on the standard streams, without an SDK.

export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
export const text = (said, more = {}) => ({ content: [{ type: 'text', text: said }], ...more });
/** A tool that only reads, unless it says more. */
export const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  ...more,
});
/** Answers `initialize`. */
export const opening =
  (name, capabilities = { tools: {} }) =>
  ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: { name, version: '1' } });

const asked = new Map();
/** Asks the client. Resolves with its message. */
export const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `q${asked.size}`;
    asked.set(id, resolve);
    send({ id, method, params });
  });
/** Calls back with each message that answers nothing. */
export const onMessage = (take) =>
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) asked.get(message.id)?.(message);
    else void take(message);
  });
