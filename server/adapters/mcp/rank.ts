import type { RankTools } from '../../core/registry/selector.ts';
import { metaOf, optionsOf, useFirstId, type About } from './about.ts';
import type { McpSession } from './session.ts';

/** Names of tools are short. */
const ANSWER_TOKENS = 1_000;
/** The selector waits as long as it wants, and cancels. */
const TIMEOUT_MS = 600_000;

/** Sampling, for a client that declares it. */
export function rankOf(mcp: McpSession, about: About): RankTools | undefined {
  const { server } = mcp;
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (prompt, signal) => {
    useFirstId(mcp, about);
    const { content } = await server.createMessage(
      {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: ANSWER_TOKENS,
        ...metaOf(about),
      },
      { timeout: TIMEOUT_MS, signal, ...optionsOf(about) },
    );
    return content.type === 'text' ? content.text : '';
  };
}
