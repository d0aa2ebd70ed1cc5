import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('fetch', 'returns the text of a file', { url: 'https://mill.test/sails.txt' }),
];

const BODY = 'four sails\n';

export const fakeHandlers: BridgeHandlers = {
  'fetch.file': async function* ({ url }) {
    const head = { final_url: url, status: 200, redirects: [], headers: { 'content-type': 'text/plain' } };
    yield `${JSON.stringify(head)}\n`;
    yield Buffer.from(BODY).toString('base64');
    return { final_url: url, size_bytes: BODY.length, is_cut: false };
  },
};
