import { expect } from 'vitest';
import type { WireError } from '../../shared/base/errors.ts';
import type { CallAnswer } from './call-tool.ts';
import { serveFiles, type FileSite } from './file-site.ts';
import type { StdioServer } from './stdio-server.ts';

type Args = Record<string, unknown>;
const HTML = { 'content-type': 'text/html; charset=utf-8' };

export const calling = (server: () => StdioServer) => {
  const ok = async (name: string, args: Args = {}, by = server()): Promise<CallAnswer> => {
    const answer = await by.call(name, args);
    expect(answer.isError, answer.text).toBe(false);
    return answer;
  };
  return {
    ok,
    failed: async (name: string, args: Args = {}, by = server()): Promise<WireError> => {
      const answer = await by.call(name, args);
      expect(answer.isError, answer.text).toBe(true);
      return answer.json<{ readonly error: WireError }>().error;
    },
    /** A tab behind the front one, with a page that has loaded. */
    openTab: async (url: string, by = server()): Promise<string> => {
      const { opened: tab } = (await ok('tabs', { action: 'open' }, by)).json<{ opened: string }>();
      await ok('navigate', { tab, url }, by);
      return tab;
    },
  };
};

/** Serves pages by name until the file ends, with `PORT` replaced by the port, and routes by path. */
export async function servePages(
  pages: Readonly<Record<string, string>>,
  routes: Parameters<typeof serveFiles>[0] = {},
): Promise<FileSite> {
  const asRoutes = Object.entries(pages).map(([name, html]): [string, (typeof routes)[string]] => [
    new URL(`/${name}`, 'http://x').pathname,
    (response, { socket }) =>
      void response.writeHead(200, HTML).end(html.replaceAll('PORT', String(socket.localPort))),
  ]);
  return serveFiles({ ...Object.fromEntries(asRoutes), ...routes });
}
