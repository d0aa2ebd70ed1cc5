import type { JsonObject } from '../../shared/json.ts';

/**
 * Asks the model that the client lends, as another server asks it: the parameters and the answer of
 * `sampling/createMessage`.
 */
export type SampleModel = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
