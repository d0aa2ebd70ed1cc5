import type { ToolCall } from '../../core/calls/call.ts';
import type { About } from './about.ts';
import { askPersonOf } from './ask-person.ts';
import { pagesOf } from './person-pages.ts';
import { rankOf } from './rank.ts';
import { sampleOf } from './sample.ts';
import type { McpSession } from './session.ts';

/** What a call may ask of its client: what the client has declared that it can do. */
export function asksOf(
  mcp: McpSession,
  about: About,
): Pick<ToolCall, 'askPerson' | 'pages' | 'rank' | 'sample'> {
  const askPerson = askPersonOf(mcp, about);
  const pages = pagesOf(mcp, about);
  const rank = rankOf(mcp, about);
  const sample = sampleOf(mcp, about);
  return {
    ...(askPerson === undefined ? {} : { askPerson }),
    ...(pages === undefined ? {} : { pages }),
    ...(rank === undefined ? {} : { rank }),
    ...(sample === undefined ? {} : { sample }),
  };
}
