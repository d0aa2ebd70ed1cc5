import { TOOL_NAMES } from './names.generated.ts';

export interface ToolNames {
  /** Key of its words in `extension/words`; several tools may share one. */
  readonly identifier: string;
  readonly api: string;
  readonly title: string;
  /** No list and no filter shows it. */
  readonly isHidden: boolean;
}

const NAMES: Readonly<Record<string, ToolNames>> = TOOL_NAMES;
const TWIN = /_internal$/;

/** @returns null for tools of other servers, of programs, and recipes */
export function toolNames(tool: string): ToolNames | null {
  const name = tool.replace(TWIN, '');
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? null) : null;
}

/** Whether a tool is hidden from people everywhere. */
export const isHiddenTool = (tool: string): boolean => toolNames(tool)?.isHidden ?? false;
