import { z } from 'zod';
import { GROUPS } from '../server/core/registry/definition.ts';
import { MANIFESTS } from '../shared/core/tools/index.ts';
import { describeTool, NAME_PATTERN, type ToolManifest } from '../shared/core/tools/manifest.ts';

const DESCRIPTION_CHARACTERS = 500;
const PARAMETER_CHARACTERS = 300;
const ANNOTATIONS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const OUTPUT_FIELDS = ['output_mode', 'output_inline_limit_bytes'] as const;
const FACTS = ['title', 'category', 'tier', 'risk'] as const;

const JsonSchemaObject = z.looseObject({
  type: z.literal('object'),
  additionalProperties: z.literal(false),
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).optional(),
});

/** Problems of one manifest, in sentences that start with the tool's name. */
function lintManifest(manifest: ToolManifest): string[] {
  const problems: string[] = [];
  const say = (problem: string): number => problems.push(`${manifest.name}: ${problem}`);
  if (!NAME_PATTERN.test(manifest.name)) say(`the name does not match ${NAME_PATTERN}`);
  if (GROUPS.includes(manifest.name)) say('the name selects a group of tools');
  for (const part of ['does', 'use', 'avoid'] as const)
    if (manifest[part].trim() === '') say(`${part} is empty`);
  const { length } = describeTool(manifest);
  if (length > DESCRIPTION_CHARACTERS)
    say(`the description has ${length} characters, at most ${DESCRIPTION_CHARACTERS}`);
  for (const hint of ANNOTATIONS)
    if (typeof manifest.annotations[hint] !== 'boolean') say(`annotations.${hint} is not explicit`);
  for (const fact of FACTS) if (!manifest[fact]) say(`${fact} is missing`);
  return [...problems, ...lintParameters(manifest), ...lintFlags(manifest)];
}

function lintParameters({ name: tool, input }: ToolManifest): string[] {
  const schema = JsonSchemaObject.safeParse(z.toJSONSchema(input, { io: 'input' }));
  if (!schema.success) return [`${tool}: the input is not a strict object`];
  const problems: string[] = [];
  const say = (problem: string): number => problems.push(`${tool}: ${problem}`);
  for (const [name, property] of Object.entries(schema.data.properties ?? {})) {
    const description = property.description?.trim() ?? '';
    if (description === '') say(`parameter ${name} is not described`);
    if (description.length > PARAMETER_CHARACTERS)
      say(
        `parameter ${name} is described in ${description.length} characters, at most ${PARAMETER_CHARACTERS}`,
      );
  }
  return problems;
}

/** Flags that contradict each other or the schemas. */
function lintFlags({
  name,
  tier,
  identifier,
  input,
  output,
  spills,
  runs,
  tasks,
  flags,
}: ToolManifest): string[] {
  const problems: string[] = [];
  const say = (problem: string): number => problems.push(`${name}: ${problem}`);
  if (!NAME_PATTERN.test(identifier) && identifier !== name)
    say(`the identifier does not match ${NAME_PATTERN}`);
  if (output !== null && !isObjectSchema(output)) say('the output is not an object schema');
  for (const field of spills ? OUTPUT_FIELDS : [])
    if (field in input.shape) say(`parameter ${field} is added at the start to each tool that spills`);
  if (runs && tasks === 'forbidden') say('its calls are runs, so they may be tasks');
  if (flags.runtimeManaged !== null && tier !== 3)
    say(`it joins a list with ${flags.runtimeManaged}, but its tier lists it from the start`);
  return problems;
}

function isObjectSchema(schema: z.ZodType): boolean {
  try {
    return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }).type === 'object';
  } catch {
    return false;
  }
}

/** The tools that a manifest needs, and its sentence for the instructions. */
function lintRelations({ name, needs, systemRole }: ToolManifest, names: readonly string[]): string[] {
  const problems: string[] = [];
  const say = (problem: string): number => problems.push(`${name}: ${problem}`);
  for (const companion of needs) {
    if (companion === name) say('it needs itself');
    else if (!names.includes(companion)) say(`it needs ${companion}, which is not a tool`);
  }
  if (systemRole === null) return problems;
  if (!/^\S.*[^.!?\s][.!?]$/.test(systemRole) || /[.!?]\s/.test(systemRole))
    say('systemRole is not one sentence on one line');
  for (const other of names)
    if (other !== name && mentions(systemRole, other))
      say(`systemRole mentions ${other}, which may not be listed`);
  return problems;
}

/** A name that is also a plain word (`network`) counts only in a sentence that tells to call it. */
function mentions(text: string, tool: string): boolean {
  const before = tool.includes('_') ? '' : '\\b(?:with|use|using|call|calling|by|of|to) `?';
  return new RegExp(`${before}\\b${tool}\\b`, 'i').test(text);
}

export function lintManifests(manifests: readonly ToolManifest[]): string[] {
  if (manifests.length === 0) return ['There is no manifest.'];
  const names = manifests.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...manifests.flatMap((manifest) => [...lintManifest(manifest), ...lintRelations(manifest, names)]),
    ...twice.map((name) => `${name}: the name appears twice`),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const problems = lintManifests(MANIFESTS);
  for (const problem of problems) console.error(problem);
  console.log(`${MANIFESTS.length} manifests, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
