import { parseArgs } from 'node:util';
import { GROUPS } from '../../../server/core/registry/definition.ts';
import { nearestNames } from '../../../server/core/registry/selector.ts';
import { TOOL_CATEGORIES, type ToolCategory, type ToolTier } from '../../../shared/core/tools/manifest.ts';
import { messageOf } from '../../../shared/base/message-of.ts';

export interface NewTool {
  /** `mill_count`. */
  readonly name: string;
  readonly category: ToolCategory;
  readonly tier: ToolTier;
  /** It works in the browser too. */
  readonly extension: boolean;
  /** Its calls are runs. */
  readonly runs: boolean;
  /** Its output can be large: it takes `output_mode`. */
  readonly spills: boolean;
}

/** Nothing was changed. */
export class Refusal extends Error {}

const USAGE = 'npm run new-tool <name> -- [--category read] [--tier 3] [--extension] [--runs] [--spills]';
const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const TIERS: readonly ToolTier[] = [1, 2, 3];

/** @throws Refusal that names the argument and what it takes. */
export function parseNewTool(args: readonly string[]): NewTool {
  const { values, positionals } = parse(args);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    throw new Refusal(`Pass one name; ${positionals.length} were given. ${USAGE}`);
  const { category, tier, extension, runs, spills } = values;
  return {
    name: checkName(name),
    category: checkCategory(category),
    tier: checkTier(tier),
    extension,
    runs,
    spills,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        category: { type: 'string', default: 'read' },
        tier: { type: 'string', default: '3' },
        extension: { type: 'boolean', default: false },
        runs: { type: 'boolean', default: false },
        spills: { type: 'boolean', default: false },
      },
    });
  } catch (thrown) {
    throw new Refusal(`${messageOf(thrown)} ${USAGE}`);
  }
}

function checkName(name: string): string {
  if (!NAME.test(name) || name.length < 3 || name.length > 64)
    throw new Refusal(
      `name: "${name}" is not valid. It takes 3 to 64 of a-z, 0-9 and single underscores between words, and begins with a letter: mill_count.`,
    );
  if (GROUPS.includes(name))
    throw new Refusal(`name: "${name}" selects a group of tools and cannot name a tool.`);
  if (name.endsWith('_internal'))
    throw new Refusal(
      `name: "${name}" is reserved for tools that only widgets call; those are rows of a mode.`,
    );
  return name;
}

function checkCategory(category: string): ToolCategory {
  const found = TOOL_CATEGORIES.find((each) => each === category);
  if (found !== undefined) return found;
  const near = nearestNames(category, TOOL_CATEGORIES);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  throw new Refusal(`--category: "${category}" is not one of ${TOOL_CATEGORIES.join(', ')}.${hint}`);
}

function checkTier(tier: string): ToolTier {
  const found = TIERS.find((each) => String(each) === tier);
  if (found === undefined) throw new Refusal(`--tier: "${tier}" is not one of ${TIERS.join(', ')}.`);
  return found;
}
