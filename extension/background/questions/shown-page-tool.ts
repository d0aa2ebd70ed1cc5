import type { ShownElements } from '../../ports/shown-element.ts';
import { lineOfTool, toolsOf } from '../pages/page-tools.ts';
import type { Question } from './queue.ts';

/** The page's description of the tool that a call names, for the card. Null for any other call. */
export async function shownPageTool({
  call: { tool, args },
  tab_id: tabId,
  document_id: documentId,
}: Question): Promise<ShownElements | null> {
  if (tool !== 'page_tool_call' || tabId === null || documentId === null) return null;
  const { tools } = await toolsOf({ tabId, documentId });
  const named = tools.find(({ name }) => name === args?.['name']);
  return named === undefined ? {} : { [named.name]: { line: lineOfTool(named), leads: null } };
}
