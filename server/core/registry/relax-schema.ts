import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';

/** What can replace the result of any tool: a failure, a question to a person. */
const ASIDE: JsonObject = { error: { type: 'object' }, pending: { type: 'object' } };

const KEPT = ['$schema', 'type', 'title', 'description', '$defs', 'definitions'];

/** References that lead into what is changed, or left out. */
const LEADS_ELSEWHERE = /"\$ref":"#(?!\/(?:\$defs|definitions)\/)/;

/**
 * The output schema of a tool as clients are shown it. They also validate against it what takes the place
 * of an answer too: a failure, a question, a descriptor with the fields `stored`, the part that a mode
 * keeps. So nothing is required, and a name that two of these have takes either.
 */
export function relaxSchema(schema: JsonObject, stored: JsonObject = {}): JsonObject {
  const base = LEADS_ELSEWHERE.test(JSON.stringify(schema)) ? withWhole(schema) : schema;
  const own = propertiesOf(base);
  const shared = Object.entries({ ...ASIDE, ...stored }).filter(([name]) => Object.hasOwn(own, name));
  const either = shared.map(([name, other]): [string, JsonObject] => [name, eitherOf(own[name], other)]);
  return {
    ...Object.fromEntries(Object.entries(base).filter(([key]) => KEPT.includes(key))),
    properties: { ...stored, ...own, ...Object.fromEntries(either) },
  };
}

export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function eitherOf(one: JsonValue | undefined, other: JsonValue | undefined): JsonObject {
  const anyOf = [one ?? {}, other ?? {}];
  const [first, second] = anyOf.map((each) => JSON.stringify(each));
  return first === second || first === '{}' ? (anyOf[0] as JsonObject) : { anyOf };
}

/** The same, whose references lead into an unchanged copy: what `oneOf` tells apart stays apart. */
function withWhole(schema: JsonObject): JsonObject {
  const lead = (key: string, value: unknown): unknown =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, '#/$defs/whole') : value;
  const moved = JSON.parse(JSON.stringify(schema), lead) as JsonObject;
  const { $schema: _dialect, ...whole } = moved;
  const { definitions: _inWhole, ...rest } = moved;
  return { ...rest, $defs: { whole } };
}
