import { TOOL_NAMES } from './names.generated.ts';

interface ToolNames {
  /** Its name; that of its original for a twin. */
  readonly api: string;
  /** Key of its words in `extension/ui/words`; several tools may share one. */
  readonly identifier: string;
  /** No list and no filter shows it. */
  readonly isHidden: boolean;
}

const NAMES: Readonly<Record<string, Omit<ToolNames, 'api'>>> = TOOL_NAMES;
const TWIN = /_internal$/;

/** @returns null for tools of other servers, of programs, and recipes */
export function toolNames(tool: string): ToolNames | null {
  const api = tool.replace(TWIN, '');
  const found = Object.hasOwn(NAMES, api) ? NAMES[api] : undefined;
  return found === undefined ? null : { api, ...found };
}

/** Whether a tool is hidden from people everywhere. */
export const isHiddenTool = (tool: string): boolean => toolNames(tool)?.isHidden ?? false;
