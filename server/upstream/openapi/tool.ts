import { cut } from '../../../shared/cut.ts';
import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { UpstreamTool } from '../answers.ts';
import {
  readParameter,
  type Binding,
  type Parameter,
  isFile,
  planBody,
  type BodyPlan,
  type Operation,
  resolveObject,
} from './bindings.ts';
import { SchemaWriter, type SchemaBounds } from './schema.ts';

/** A tool and how its arguments become a request. */
export interface ApiTool {
  readonly tool: UpstreamTool;
  readonly operation: Operation;
  /** Keyed by name of the argument. */
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly body: BodyPlan | null;
}

const DESCRIPTION_UNITS = 900;
const REQUEST_UNITS = 400;
/** Size of a schema as JSON. A larger one is written again with less in it. */
const SCHEMA_UNITS = 24_000;
const BOUNDS: readonly SchemaBounds[] = [
  { textUnits: 300, depth: 40, values: 200 },
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

export interface ToolPlace {
  /** In lower case. */
  readonly configuredHeaders: ReadonlySet<string>;
  /** Where the document sends them; empty if the configuration decides, or nobody does. */
  readonly server: string;
}

/** The tool of an operation. Its schema is bounded: deep parts of a very large one accept anything. */
export function buildTool(
  root: JsonObject,
  operation: Operation,
  { configuredHeaders, server }: ToolPlace,
): ApiTool {
  const body = operation.requestBody === null ? null : planBody(root, operation.requestBody);
  const parameters = operation.parameters.flatMap(
    (parameter) => readParameter(root, parameter, configuredHeaders) ?? [],
  );
  const { method, path, name } = operation;
  // It stays, however long the description is.
  const request = cut(`${method} ${server}${path}`, REQUEST_UNITS);
  const written = writeArguments(root, parameters, body);
  return {
    operation,
    body,
    bindings: written.bindings,
    tool: {
      rawName: name,
      description: [cut(operation.description, DESCRIPTION_UNITS - request.length - 1), request]
        .filter(Boolean)
        .join('\n'),
      inputSchema: written.schema,
      isReadOnly: method === 'GET' || method === 'HEAD',
    },
  };
}

interface Written {
  readonly schema: JsonObject;
  readonly bindings: ReadonlyMap<string, Binding>;
}

function writeArguments(root: JsonObject, parameters: readonly Parameter[], body: BodyPlan | null): Written {
  let written: Written = { schema: { type: 'object' }, bindings: new Map() };
  for (const bounds of BOUNDS) {
    written = new ArgumentWriter(root, bounds).write(parameters, body);
    if (JSON.stringify(written.schema).length <= SCHEMA_UNITS) break;
  }
  return written;
}

class ArgumentWriter {
  readonly #writer: SchemaWriter;
  readonly #properties: Record<string, JsonValue> = {};
  readonly #required: string[] = [];
  readonly #bindings = new Map<string, Binding>();

  constructor(
    private readonly root: JsonObject,
    private readonly bounds: SchemaBounds,
  ) {
    this.#writer = new SchemaWriter(root, bounds);
  }

  write(parameters: readonly Parameter[], body: BodyPlan | null): Written {
    for (const parameter of parameters) this.#parameter(parameter);
    if (body !== null && body.isFlat) this.#fields(body);
    else if (body !== null) this.#body(body);
    const definitions = this.#writer.definitions();
    return {
      bindings: this.#bindings,
      schema: {
        type: 'object',
        properties: this.#properties,
        ...(this.#required.length === 0 ? {} : { required: this.#required }),
        additionalProperties: false,
        ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
      },
    };
  }

  #parameter({ binding, schema, description, isRequired }: Parameter): void {
    this.#add(binding, {
      name: binding.name,
      prefix: binding.at,
      isRequired,
      schema: this.#described(this.#writer.write(schema), description),
    });
  }

  #fields({ schema, files }: BodyPlan): void {
    const { properties, required } = resolveObject(this.root, schema);
    const written = this.#writer.write({ type: 'object', properties, required });
    const { properties: fields = {}, required: names = [] } = typeof written === 'boolean' ? {} : written;
    for (const [name, field] of Object.entries(isObject(fields) ? fields : {}))
      this.#add(
        { at: 'field', name },
        {
          name,
          prefix: 'body',
          isRequired: isJsonList(names) && names.includes(name),
          schema: files.has(name) ? this.#file(field, isList(this.root, properties, name)) : (field ?? {}),
        },
      );
  }

  #body({ schema, isRequired, description, kind }: BodyPlan): void {
    const isBytes = kind === 'binary' || (kind === 'text' && isFile(this.root, schema));
    const written = isBytes ? FILE_SCHEMA : kind === 'text' ? { type: 'string' } : this.#writer.write(schema);
    const described = this.#described(written, description);
    this.#add({ at: 'body' }, { name: 'body', prefix: 'request', isRequired, schema: described });
  }

  #file(field: JsonValue | undefined, isMany: boolean): JsonObject {
    const description = isObject(field) ? field['description'] : undefined;
    const one = { ...FILE_SCHEMA, ...(description === undefined ? {} : { description }) };
    return isMany ? { type: 'array', items: one } : one;
  }

  #described(schema: JsonObject | boolean, description: string): JsonObject {
    const object = typeof schema === 'boolean' ? {} : schema;
    const { textUnits } = this.bounds;
    if (description === '' || textUnits === 0) return object;
    return { ...object, description: cut(description, textUnits) };
  }

  /** If a name is taken, or no client accepts it, a descriptive one replaces it, and the description says so. */
  #add(
    binding: Binding,
    named: {
      readonly name: string;
      readonly prefix: string;
      readonly isRequired: boolean;
      readonly schema: JsonValue;
    },
  ): void {
    const key = this.#keyOf(named.name, named.prefix);
    const { name, prefix, schema } = named;
    this.#bindings.set(key, binding);
    if (named.isRequired) this.#required.push(key);
    const object = isObject(schema) ? schema : {};
    if (key === name || binding.at === 'body') {
      this.#properties[key] = object;
      return;
    }
    const wire = `Sent as ${prefix} ${binding.at === 'field' ? 'field' : 'parameter'} "${cut(name, 80)}".`;
    const { description } = object;
    this.#properties[key] = {
      ...object,
      description: typeof description === 'string' ? `${description} ${wire}` : wire,
    };
  }

  #keyOf(name: string, prefix: string): string {
    const plain =
      name
        .replaceAll(/[^\w.-]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
        .slice(0, 56) || prefix;
    const wanted = /^[\w.-]{1,64}$/.test(name) ? name : plain;
    if (!this.#bindings.has(wanted)) return wanted;
    const prefixed = `${prefix}_${wanted}`.slice(0, 60);
    let key = prefixed;
    for (let next = 2; this.#bindings.has(key); next++) key = `${prefixed}_${next}`;
    return key;
  }
}

const isList = (root: JsonObject, properties: JsonValue | undefined, name: string): boolean =>
  resolveObject(root, resolveObject({}, properties)[name])['type'] === 'array';
