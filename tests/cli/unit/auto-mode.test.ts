import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { modeOfClient } from '../../../server/cli/options.ts';

const ui = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const other = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const initialize = (capabilities: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities } });
const discover = (capabilities: object): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'server/discover' },
    params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities } },
  });

it.each([
  ['a session with apps', initialize(ui), 'apps'],
  ['a session without', initialize(other), 'default'],
  ['a request with apps', discover(ui), 'apps'],
  ['a request without', discover(other), 'default'],
  ['invalid JSON', 'hello {', 'default'],
])('the mode fits %s, and the message stays to be read', async (_what, message, mode) => {
  const input = new PassThrough();
  const found = modeOfClient(input);
  for (const character of message) input.write(character);
  input.write('\nnext');
  expect(await found).toBe(mode);
  input.end();
  expect(await text(input)).toBe(`${message}\nnext`);
});

it('a client that leaves without a word gets the default mode', async () => {
  const input = new PassThrough();
  const found = modeOfClient(input);
  input.end();
  expect(await found).toBe('default');
});
