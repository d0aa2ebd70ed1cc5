import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import schemas from 'har-schema';

const DRAFT_06 = 'http://json-schema.org/draft-06/schema#';

/** Checks a document against the HAR 1.2 schemas of the `har-schema` package; '' if it is valid. */
export function whyNoHar(document: unknown): string {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  // The schemas use only parts of draft-06 that are unchanged in draft-07.
  ajv.addMetaSchema({ $id: DRAFT_06, $ref: 'http://json-schema.org/draft-07/schema#' });
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  return ajv.validate('har.json#', document) ? '' : ajv.errorsText(ajv.errors, { separator: '\n' });
}
