import type { ToolCategory } from '../../shared/tools/manifest.ts';

/** The word for the tools that are listed where nothing was selected: tiers 1 and 2. */
export const DEFAULT_GROUP = 'default';

const CATEGORIES: Readonly<Record<ToolCategory, true>> = {
  read: true,
  act: true,
  capture: true,
  runs: true,
  output: true,
  human: true,
  upstream: true,
  recipes: true,
  docs: true,
  dev: true,
  experimental: true,
};

/** A selector that names a category, and not one tool. */
export const isCategory = (selector: string): selector is ToolCategory => Object.hasOwn(CATEGORIES, selector);

/** Every selector that names more than one tool; no tool is called like one. */
export const GROUPS: readonly string[] = [DEFAULT_GROUP, ...Object.keys(CATEGORIES)];
