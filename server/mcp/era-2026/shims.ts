// Replaces modules of the SDKs (scripts/lib/node-builds.ts) that would load a JSON Schema compiler at each start.

/** The SDKs validate none of our data. */
export class DefaultJsonSchemaValidator {
  /** @throws Error always */
  getValidator(): never {
    throw new Error('No schema is compiled by the SDK.');
  }
}
export { DefaultJsonSchemaValidator as AjvJsonSchemaValidator };
export { default as process } from 'node:process';
export const CORS_IS_POSSIBLE = false;
