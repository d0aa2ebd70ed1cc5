// Replaces the SDK's module for this runtime (vite.config.ts), which would load a JSON Schema compiler at
// each start.

/** The SDK validates none of our data. */
export class DefaultJsonSchemaValidator {
  /** @throws Error always */
  getValidator(): never {
    throw new Error('No schema is compiled by the SDK.');
  }
}
export { default as process } from 'node:process';
