import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { LIMITS } from '../../../shared/limits.ts';
import type { PersonPage, PersonPages } from '../../core/ask-person.ts';
import type { ToolResult } from '../../core/result.ts';
import { metaOf, optionsOf, useFirstId, type About } from './about.ts';
import { unanswered } from './ask-person.ts';
import { RpcError } from './rpc.ts';
import type { McpSession } from './session.ts';

/** What calls that have failed need first. */
const required = new WeakMap<PersonPages, readonly PersonPage[]>();

const toParams = ({ id, message, url }: PersonPage) => ({
  mode: 'url' as const,
  message,
  url,
  elicitationId: id,
});

/** Elicitation by address, for a client that declares it. */
export function pagesOf(mcp: McpSession, about: About): PersonPages | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.elicitation?.url === undefined) return undefined;
  const pages: PersonPages = {
    ask: async (page, signal) => {
      useFirstId(mcp, about);
      const options = { timeout: LIMITS.humanInputMs, signal, ...optionsOf(about) };
      try {
        return (await server.elicitInput({ ...toParams(page), ...metaOf(about) }, options)).action;
      } catch (thrown) {
        throw signal.aborted ? thrown : unanswered(thrown);
      }
    },
    require: (needed) => void required.set(pages, needed),
    completed: (id) => {
      // A client that has disconnected needs no notification.
      server
        .createElicitationCompletionNotifier(id)()
        .catch(() => undefined);
    },
  };
  return pages;
}

/** @throws RpcError `-32042` for a call that failed because a person has to open a page first */
export function expectPages(pages: PersonPages | undefined, { ok, error }: ToolResult): void {
  const needed = pages === undefined || ok ? undefined : required.get(pages);
  if (needed === undefined || error === undefined) return;
  throw new RpcError(ErrorCode.UrlElicitationRequired, error.message, {
    elicitations: needed.map(toParams),
    error,
  });
}
