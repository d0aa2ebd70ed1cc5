import type { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallContext } from '../context.ts';

/** What the work of one call says that it has come to. */
export class KeptState {
  readonly #known: (() => JsonObject)[] = [];

  readonly keep: CallContext['keepState'] = (known) => void this.#known.push(known);

  /** What is known once the call has failed. @param produced what its payload knows */
  of(error: SpillwayError, produced: JsonObject = {}): JsonObject {
    const parts = [...this.#known.map(read), error.state ?? {}, produced];
    return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
  }
}

/** A defect here must not hide why the call has failed. */
function read(known: () => JsonObject): JsonObject {
  try {
    return known();
  } catch {
    return {};
  }
}
