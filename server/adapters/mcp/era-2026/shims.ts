// In the place of what the SDK takes for this runtime: vite.config.ts. It would read a compiler of JSON Schema at each start.

/** The SDK checks no data of ours. */
export class DefaultJsonSchemaValidator {
  /** @throws Error always */
  getValidator(): never {
    throw new Error('No schema is compiled by the SDK.');
  }
}
export { default as process } from 'node:process';
