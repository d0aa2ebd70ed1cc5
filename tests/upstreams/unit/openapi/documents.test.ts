import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from 'json-schema-faker';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OpenApiSource } from '../../../../server/upstreams/openapi/index.ts';
import type { UpstreamSource } from '../../../../server/upstreams/answers.ts';
import { isObject, type JsonObject } from '../../../../shared/base/json.ts';
import { messageOf } from '../../../../shared/base/message-of.ts';
import { rounds } from '../../../support/depth.ts';
import { callTool, settled } from '../../../support/openapi/context.ts';
import { startService, type Seen, type Service } from '../../../support/openapi/service.ts';

const FOLDER = join(import.meta.dirname, '../../../../fixtures/openapi');
const NAMES = readdirSync(FOLDER).filter((name) => /\.(?:json|yaml)$/.test(name));

/** Tools by document: a changed number means lost or new operations. */
const COUNTS: Readonly<Record<string, number>> = {
  'adyen-bin-lookup.json': 2,
  'box.json': 90,
  'docker-engine.json': 105,
  'github.json': 95,
  'httpbin.json': 73,
  'kubernetes.json': 20,
  'openai.json': 28,
  'own-swagger-2.yaml': 6,
  'slack.json': 174,
  'stripe.json': 26,
  'twilio-verify.json': 53,
};

it('are the documents that are expected', () => expect(NAMES).toEqual(Object.keys(COUNTS)));

const OF_THE_GATE = ['own-swagger-2.yaml', 'stripe.json', 'openai.json'];
const SENDING = NAMES.filter((name) => OF_THE_GATE.includes(name) || rounds(1, 0) === 1);
const KNOWN = [
  // A parameter that is called Content-Type is ignored: the body's own type counts (OpenAPI 3.1.1, "Parameter Object").
  'ImageBuild ',
  // `{}` fits several schemas of a oneOf, which becomes an anyOf in the tool's schema.
  'issues/set-labels ',
];

/** A value for each scheme, so that each call has its credentials. */
const HEADERS = { authorization: 'Bearer t', token: 't', api_key: 't', 'x-api-key': 't' };
describe.each(NAMES)('%s', (name) => {
  let source: UpstreamSource;
  let service: Service;
  const problems: string[] = [];

  beforeAll(async () => {
    const backend = SENDING.includes(name) ? await validator(join(FOLDER, name)) : null;
    service = await startService((response, seen) => {
      const found = backend === null ? Promise.resolve([]) : problemsOf(backend, seen);
      void found
        .catch((thrown: unknown) => [messageOf(thrown)])
        .then((said) => {
          problems.push(...said);
          response.end('{"ok":true}');
        });
    });
    const file = join(FOLDER, name);
    source = new OpenApiSource({ id: 'real', file, baseUrl: service.url, headers: HEADERS });
    await settled(source);
  });
  afterAll(() => source.close());

  it('gives tools with unique names and finite schemas that clients compile', () => {
    const tools = source.tools;
    expect(source.status).toEqual({ state: 'ready', problem: null });
    expect(tools).toHaveLength(COUNTS[name] ?? 0);
    expect(new Set(tools.map(({ rawName }) => rawName)).size).toBe(tools.length);
    const ajv = addFormats.default(new Ajv2020({ strictSchema: true, strictTypes: false }));
    for (const { rawName, inputSchema, description } of tools) {
      expect(() => ajv.compile(inputSchema), rawName).not.toThrow();
      expect(JSON.stringify(inputSchema).length, rawName).toBeLessThan(30_000);
      expect(description.length, rawName).toBeLessThanOrEqual(900);
      expect(Object.keys(members(inputSchema)).filter((key) => !/^[\w.-]{1,64}$/.test(key))).toEqual([]);
    }
  });

  if (SENDING.includes(name))
    it('sends what a server of the same document accepts', async () => {
      for (const { rawName, inputSchema } of source.tools) {
        const body = 'body' in members(inputSchema) ? ['body'] : [];
        const stated = Array.isArray(inputSchema['required']) ? inputSchema['required'] : [];
        const schema = { ...inputSchema, required: [...new Set<string>([...stated, ...body])] };
        const args = await generate(schema, { seed: 7, optionalsProbability: 0, maxItems: 2 } as object);
        if (!isObject(args)) throw new Error(`${rawName}: no arguments were generated.`);
        const before = problems.length;
        await callTool(source, rawName, filled(args)).catch((thrown: unknown) =>
          problems.push(`${rawName}: ${messageOf(thrown)}`),
        );
        for (let at = before; at < problems.length; at++)
          problems[at] = `${rawName} ${JSON.stringify(args).slice(0, 300)}: ${problems[at]}`;
      }
      expect(problems.filter((problem) => !KNOWN.some((known) => problem.startsWith(known)))).toEqual([]);
      expect(service.seen).toHaveLength(source.tools.length);
    });
});

const members = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});
const filled = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value === '' ? 'x' : value]));

/** The validator refuses a schema that says `nullable` and no type. */
const withoutLoneNullable = (_: unknown, value: unknown): unknown => {
  if (!isObject(value) || typeof value['nullable'] !== 'boolean' || 'type' in value) return value;
  const { nullable: _nullable, ...rest } = value;
  return rest;
};

async function validator(file: string): Promise<OpenAPIBackend> {
  const text = await readFile(file, 'utf8');
  const definition = upgradeFromTwoToThree(parse(text, withoutLoneNullable)) as unknown as Document;
  definition.servers = [{ url: '/' }];
  for (const [path, item] of Object.entries(definition.paths ?? {}))
    for (const [method, operation] of Object.entries(item ?? {}))
      if (isObject(operation) && METHODS.includes(method))
        Object.assign(operation, { operationId: `${method} ${path}` });
  const backend = new OpenAPIBackend({
    definition,
    quick: true,
    strict: false,
    coerceTypes: true,
    ajvOpts: { strict: false, validateFormats: false },
  });
  await backend.init();
  return backend;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
const valueOf = (part: string): unknown => (part.startsWith('{') ? JSON.parse(part) : part);

/** The validator does not know that a form has only texts. */
const typed = (value: string): unknown => (/^(?:-?\d+|true|false)$/.test(value) ? JSON.parse(value) : value);
function formOf(body: string): Record<string, unknown> {
  const form = new URLSearchParams(body);
  const all = (name: string): unknown => {
    const values = form.getAll(name).map(typed);
    return values.length === 1 ? values[0] : values;
  };
  return Object.fromEntries([...form.keys()].map((name) => [name, all(name)]));
}

/** The validator reads only JSON. It sees no body in a form with deep members. */
async function read(body: string, type = ''): Promise<string | Record<string, unknown> | undefined> {
  if (body === '') return undefined;
  if (type.startsWith('application/x-www-form-urlencoded') && !body.includes('%5B')) return formOf(body);
  if (!type.startsWith('multipart/')) return body;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, part]) => [
      name,
      typeof part === 'string' ? valueOf(part) : await part.text(),
    ]),
  );
  return Object.fromEntries(parts) as Record<string, unknown>;
}

async function problemsOf(
  backend: OpenAPIBackend,
  { method, path, headers, body: sent }: Seen,
): Promise<string[]> {
  const body = await read(sent, headers['content-type']);
  const request = {
    method,
    path,
    headers: headers as Record<string, string>,
    body: body === '' ? undefined : body,
  };
  const parsed = backend.router.parseRequest(request);
  const operation = backend.router.matchOperation(parsed);
  if (operation === undefined) return [`no operation is ${method} ${path}`];
  const { errors } = backend.validator.validateRequest(parsed, operation);
  return (errors ?? []).map(({ instancePath, message }) =>
    `${instancePath} ${message ?? ''} in ${path} ${sent}`.slice(0, 400),
  );
}
