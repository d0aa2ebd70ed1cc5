import type { JournalFilter } from '../../../shared/bridge/feed.ts';
import { isHiddenTool } from '../../../shared/tools/names.ts';
import { hostOf, type Entry } from './lines.ts';

const OUTCOMES = { ok: 'ok', failed: 'failed', waiting: 'pending', running: undefined } as const;

export const isFiltered = (filter: JournalFilter): boolean =>
  Object.values(filter).some((wanted) => wanted !== undefined);

/**
 * Whether a line is wanted, as a server judges the lines of its journal. A call that runs has any outcome. Lines of hidden
 * tools are never wanted.
 */
export function isWanted(entry: Entry, { tool, agent, session, outcome, site }: JournalFilter): boolean {
  if (entry.tool !== null && isHiddenTool(entry.tool)) return false;
  if (tool !== undefined && entry.tool !== tool) return false;
  if (entry.kind === 'event') return [agent, session, outcome, site].every((wanted) => wanted === undefined);
  if (agent !== undefined && entry.agent !== agent) return false;
  if (session !== undefined && entry.session !== session) return false;
  if (outcome !== undefined && (OUTCOMES[entry.state] ?? outcome) !== outcome) return false;
  return site === undefined || entry.site === site || hostOf(entry.args) === site;
}
