import { TOOL_CATEGORIES, type ToolCategory } from '../../../shared/tools/manifest.ts';

/** The word for the tools that are listed where nothing was selected: tiers 1 and 2. */
export const DEFAULT_GROUP = 'default';

const CATEGORIES: readonly string[] = TOOL_CATEGORIES;

/** A selector that names a category, and not one tool. */
export const isCategory = (selector: string): selector is ToolCategory => CATEGORIES.includes(selector);

/** Every selector that names more than one tool; no tool is called like one. */
export const GROUPS: readonly string[] = [DEFAULT_GROUP, ...CATEGORIES];
