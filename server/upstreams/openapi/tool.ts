import { cut } from '../../../shared/base/cut.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import type { UpstreamTool } from '../answers.ts';
import {
  readParameter,
  type Binding,
  type Parameter,
  isFile,
  planBody,
  type BodyPlan,
  type Operation,
  membersOf,
  resolveObject,
} from './bindings.ts';
import { SchemaWriter, type SchemaBounds } from './schema.ts';

/** A tool and how its arguments become a request. */
export type ApiTool = ReturnType<typeof buildTool>;

const DESCRIPTION_UNITS = 900;
const REQUEST_UNITS = 400;
/** Size of a schema as JSON. A larger one is written again with less in it. */
const SCHEMA_UNITS = 24_000;
const WHOLE: SchemaBounds = { textUnits: 300, depth: 40, values: 200 };
const SMALLER: readonly SchemaBounds[] = [
  { textUnits: 80, depth: 40, values: 100 },
  { textUnits: 80, depth: 5, values: 50 },
  { textUnits: 60, depth: 3, values: 30 },
  { textUnits: 0, depth: 2, values: 30 },
  { textUnits: 0, depth: 1, values: 10 },
];

const FILE_SCHEMA: JsonObject = {
  type: 'object',
  description: 'A file: text, or bytes as base64.',
  properties: {
    text: { type: 'string' },
    base64: { type: 'string' },
    file_name: { type: 'string' },
    media_type: { type: 'string' },
  },
  anyOf: [{ required: ['text'] }, { required: ['base64'] }],
  additionalProperties: false,
};

/**
 * The tool of an operation. Its schema is bounded: deep parts of a very large one accept anything.
 * @param configuredHeaders in lower case
 * @param server where the document sends requests; empty if the configuration decides, or nobody does
 */
export function buildTool(
  root: JsonObject,
  operation: Operation,
  configuredHeaders: ReadonlySet<string>,
  server: string,
) {
  const body = operation.requestBody === null ? null : planBody(root, operation.requestBody);
  const parameters = operation.parameters.flatMap(
    (parameter) => readParameter(root, parameter, configuredHeaders) ?? [],
  );
  const { method, path, name } = operation;
  // It stays, however long the description is.
  const request = cut(`${method} ${server}${path}`, REQUEST_UNITS);
  let written = writeArguments(root, parameters, body, WHOLE);
  for (const bounds of SMALLER) {
    if (JSON.stringify(written.schema).length <= SCHEMA_UNITS) break;
    written = writeArguments(root, parameters, body, bounds);
  }
  const description = cut(operation.description, DESCRIPTION_UNITS - request.length - 1);
  const tool: UpstreamTool = {
    rawName: name,
    description: [description, request].filter(Boolean).join('\n'),
    inputSchema: written.schema,
    isReadOnly: method === 'GET' || method === 'HEAD',
  };
  // The bindings are keyed by name of the argument.
  return { operation, body, bindings: written.bindings, tool };
}

/** An argument before it has its final name. */
interface Argument {
  readonly name: string;
  /** Begins the final name if another argument has this one. */
  readonly prefix: string;
  readonly binding: Binding;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
}

function writeArguments(
  root: JsonObject,
  parameters: readonly Parameter[],
  body: BodyPlan | null,
  bounds: SchemaBounds,
) {
  const writer = new SchemaWriter(root, bounds);
  const described = (schema: JsonObject | boolean, description: string): JsonObject => ({
    ...(typeof schema === 'boolean' ? {} : schema),
    ...(description === '' || bounds.textUnits === 0
      ? {}
      : { description: cut(description, bounds.textUnits) }),
  });
  const given = parameters.map(({ binding, schema, description, isRequired }): Argument => {
    const { name, at: prefix } = binding;
    return { name, prefix, binding, isRequired, schema: described(writer.write(schema), description) };
  });
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  const bindings = new Map<string, Binding>();
  for (const argument of [...given, ...bodyArguments(root, body, writer, described)]) {
    const key = argumentKey(argument, bindings);
    bindings.set(key, argument.binding);
    properties.set(key, key === argument.name ? argument.schema : withName(argument));
    if (argument.isRequired) required.push(key);
  }
  const definitions = writer.definitions();
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
  return { bindings, schema };
}

/** The members of a flat body, or the whole body. */
function bodyArguments(
  root: JsonObject,
  body: BodyPlan | null,
  writer: SchemaWriter,
  described: (schema: JsonObject | boolean, description: string) => JsonObject,
): readonly Argument[] {
  if (body === null) return [];
  const { kind, files, isRequired } = body;
  if (!body.isFlat) {
    const isBytes = kind === 'binary' || (kind === 'text' && isFile(root, body.schema));
    const text = kind === 'text' ? { type: 'string' } : null;
    const schema = isBytes ? FILE_SCHEMA : (text ?? writer.write(body.schema));
    const binding = { at: 'body' } as const;
    return [
      { name: 'body', prefix: 'request', binding, isRequired, schema: described(schema, body.description) },
    ];
  }
  const { properties, required } = resolveObject(root, body.schema);
  const written = writer.write({ type: 'object', properties, required });
  const { properties: fields, required: names } = typeof written === 'boolean' ? {} : written;
  return membersOf(fields).map(([name, value]): Argument => {
    const field = isObject(value) ? value : {};
    const isNeeded = isJsonList(names) && names.includes(name);
    return {
      name,
      prefix: 'body',
      binding: { at: 'field', name, isNeeded },
      isRequired: isNeeded && body.isSent,
      schema: files.has(name) ? fileSchema(field, isList(root, properties, name)) : field,
    };
  });
}

function fileSchema({ description }: JsonObject, isMany: boolean): JsonObject {
  const one = { ...FILE_SCHEMA, ...(description === undefined ? {} : { description }) };
  return isMany ? { type: 'array', items: one } : one;
}

/** The schema of an argument whose name is not the one that is sent. */
function withName({ name, prefix, binding, schema }: Argument): JsonObject {
  if (binding.at === 'body') return schema;
  const wire = `Sent as ${prefix} ${binding.at === 'field' ? 'field' : 'parameter'} "${cut(name, 80)}".`;
  const { description } = schema;
  return { ...schema, description: typeof description === 'string' ? `${description} ${wire}` : wire };
}

/** The name itself, or the nearest free one that clients accept. */
function argumentKey({ name, prefix }: Argument, taken: ReadonlyMap<string, Binding>): string {
  const plain = name
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 56);
  const wanted = /^[\w.-]{1,64}$/.test(name) ? name : plain || prefix;
  if (!taken.has(wanted)) return wanted;
  const prefixed = `${prefix}_${wanted}`.slice(0, 60);
  let key = prefixed;
  for (let next = 2; taken.has(key); next++) key = `${prefixed}_${next}`;
  return key;
}

const isList = (root: JsonObject, properties: JsonValue | undefined, name: string): boolean =>
  resolveObject(root, resolveObject({}, properties)[name])['type'] === 'array';
