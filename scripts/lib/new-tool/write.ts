import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatAs } from '../format.ts';
import { parseNewTool, type NewTool } from './options.ts';
import { planNewTool } from './plan.ts';

/** A tool whose files have been written. */
export interface WrittenTool {
  readonly tool: NewTool;
  /** Below the checkout. */
  readonly paths: readonly string[];
}

/**
 * Writes the files of a new tool into a checkout. It plans and formats them all first.
 * @param args of the command line
 * @throws Refusal when the arguments are invalid or the tool exists; nothing is changed then
 */
export async function writeNewTool(root: string, args: readonly string[]): Promise<WrittenTool> {
  const tool = parseNewTool(args);
  const plan = planNewTool(root, tool);
  const formatted = await Promise.all(
    plan.map(async ([path, text]) => [path, await formatAs(root, path, text)] as const),
  );
  for (const [path, text] of formatted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { tool, paths: formatted.map(([path]) => path) };
}
