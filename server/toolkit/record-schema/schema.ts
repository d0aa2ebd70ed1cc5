import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { Json } from '../../../shared/json-schema.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { checkBounds, refuseSchema } from './json-schema.ts';
import { Patterns } from './patterns.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** A caller's schema, checked and ready. */
export interface RecordSchema {
  readonly schema: JsonObject;
  /** What is wrong with a record; empty when nothing is. */
  readonly validate: (record: JsonValue) => readonly ErrorObject[];
  /** To be awaited between two records: patterns that take long let others have their turn. */
  readonly rest: () => Promise<void>;
  /** Patterns that took too long and were given up. */
  readonly skippedPatterns: ReadonlySet<string>;
}

/** Drafts before 2020-12, which say the same of a record. */
const OTHER_DRAFTS = /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]|draft\/20(?:19-09|20-12))\/schema#?$/;

/**
 * Checks and compiles the schema of one record. Nothing is fetched, and its patterns cannot hang.
 * @throws SpillwayError `schema_invalid`, naming the path
 */
export function compileSchema(given: Readonly<Record<string, unknown>>): RecordSchema {
  const asked = Json.parse(given);
  if (!isObject(asked)) return refuseSchema('schema', 'is not an object.');
  const schema = withoutDraft(asked);
  checkBounds(schema);
  if (schema['type'] === 'array')
    refuseSchema(
      'schema/type',
      'describes a list; describe one record, and pass multiple: true for all of them.',
    );
  const patterns = new Patterns();
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp: patterns.create },
  });
  addFormats(ajv);
  if (metaschema().validateSchema(schema) !== true) raise(metaschema().errors ?? []);
  const validate = compile(ajv, schema);
  return {
    schema,
    rest: () => patterns.rest(),
    skippedPatterns: patterns.skipped,
    validate: (record) => (validate(record) ? [] : (validate.errors ?? [])),
  };
}

let meta: Ajv2020 | null = null;

/** The schema of schemas is compiled once: it takes longer than most callers' own. */
function metaschema(): Ajv2020 {
  if (meta !== null) return meta;
  meta = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats(meta);
  return meta;
}

function withoutDraft(schema: JsonObject): JsonObject {
  const { $schema, $id, ...rest } = schema;
  if ($schema !== undefined && (typeof $schema !== 'string' || !OTHER_DRAFTS.test($schema)))
    refuseSchema('schema/$schema', 'names an unknown dialect; only JSON Schema 2020-12 is supported.');
  if ($id !== undefined && typeof $id !== 'string') refuseSchema('schema/$id', 'is a string.');
  return rest;
}

function compile(ajv: Ajv2020, schema: JsonObject): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new SpillwayError('schema_invalid', `schema: ${reason.slice(0, 300)}`, { cause });
  }
}

/** The most telling error: the deepest, and of these the first. */
function raise(errors: readonly ErrorObject[]): never {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
  const [worst] = [...errors].sort((a, b) => depth(b) - depth(a));
  const path = `schema${worst?.instancePath ?? ''}`;
  const choices: unknown = worst?.params['allowedValues'];
  const allowed = Array.isArray(choices) ? `: ${choices.join(', ')}` : '';
  return refuseSchema(path, `${worst?.message ?? 'is not a JSON Schema'}${allowed}.`);
}
