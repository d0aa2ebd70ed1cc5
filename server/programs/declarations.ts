import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { isForModels, type ToolDefinition } from '../core/registry/definition.ts';
import { nearestNames } from '../core/registry/selector.ts';
import type { ToolRegistry } from '../core/registry/registry.ts';

/** The page of `docs_fetch` with the types of the tools that a program may call. */
export const DECLARATIONS_PAGE = 'program.d.ts';

const DEPTH_MAX = 3;
const DESCRIPTION_UNITS = 160;

const GLOBALS = `interface CallOptions { retry?: { attempts: number; backoff_ms?: number }; timeout?: number }
declare class ToolError extends Error { code: string; hint: string; retryable: boolean; body?: object }
/** Asks the person, as tools.request_human_input does. */
declare function ask(question: { type: string; message: string; choices?: string[]; schema?: object }): Promise<any>;
/** Milliseconds, or until a date. */
declare function sleep(time: number | Date | string): Promise<void>;
/** Results in the order of the items, whichever ends first. */
declare function map<T, R>(items: Iterable<T> | AsyncIterable<T>, work: (item: T, index: number) => Promise<R>, options?: { limit?: number }): Promise<R[]>;
/** The items of a stored output, or its text page by page. */
declare function items(handle: string): AsyncIterable<any>;
/** Adds an item to the output, which then replaces the returned value. */
declare function emit(item: unknown): void;
/** A line of the run's log. */
declare function log(...values: unknown[]): void;
declare const input: any;
/** The only clock: milliseconds, which advance with each await. */
declare function now(): number;
declare function random(): number;
`;

/**
 * Types of everything that a program of a session may use. JSON answers are objects, texts are strings,
 * stored answers have an output_handle.
 */
export function declarationsOf(registry: Pick<ToolRegistry, 'all'>): string {
  const tools = callable(registry).map(declarationOf);
  return `${GLOBALS}declare const tools: {\n${tools.join('\n')}\n};\n`;
}

/** The declarations of at most three tools whose names are like a missing one. */
export function nearDeclarations(registry: Pick<ToolRegistry, 'all'>, name: string): string {
  const tools = callable(registry);
  const near = nearestNames(
    name,
    tools.map(({ manifest }) => manifest.name),
  );
  return tools
    .filter(({ manifest }) => near.includes(manifest.name))
    .slice(0, 3)
    .map((tool) => signatureOf(tool))
    .join(' ');
}

const callable = (registry: Pick<ToolRegistry, 'all'>): readonly ToolDefinition[] =>
  registry.all().filter((tool) => isForModels(tool) && tool.manifest.name !== 'script');

function declarationOf(tool: ToolDefinition): string {
  const { description } = tool.presentation;
  const [first = ''] = description.split(/(?<=\.) /);
  const summary = (first.length > DESCRIPTION_UNITS ? '' : first).replaceAll('*/', '* /');
  return `${summary === '' ? '' : `  /** ${summary} */\n`}  ${signatureOf(tool)}`;
}

function signatureOf({ manifest: { name }, presentation: { inputSchema } }: ToolDefinition): string {
  const type = typeOf(inputSchema, DEPTH_MAX);
  const isOptional = !isJsonList(inputSchema['required']) || inputSchema['required'].length === 0;
  return `${formatPropertyName(name)}(args${isOptional ? '?' : ''}: ${type}, options?: CallOptions): Promise<any>;`;
}

const formatPropertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

function typeOf(schema: JsonValue | undefined, depth: number): string {
  if (!isObject(schema)) return 'any';
  if (isJsonList(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  const either = schema['anyOf'] ?? schema['oneOf'];
  if (isJsonList(either)) return [...new Set(either.map((one) => typeOf(one, depth)))].join(' | ');
  const { type } = schema;
  if (isJsonList(type)) return type.map((one) => typeOf({ ...schema, type: one }, depth)).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `Array<${typeOf(schema['items'], depth - 1)}>`;
    case 'object':
      return objectType(schema, depth);
    default:
      return 'any';
  }
}

function objectType({ properties, required }: JsonObject, depth: number): string {
  if (!isObject(properties) || depth <= 0) return 'object';
  const needed = isJsonList(required) ? required : [];
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${formatPropertyName(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(schema, depth - 1)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}
