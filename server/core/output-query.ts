import type { JsonValue } from '../../shared/json.ts';
import type { Clean } from '../redact/clean.ts';
import type { StoredFacts } from './output.ts';

/** Validated arguments of `oc_output_query`: one question. */
export interface QueryRequest {
  readonly output_handle: string;
  /** Text, as it is written. */
  readonly search?: string | undefined;
  /** RE2. */
  readonly regex?: string | undefined;
  /** JMESPath of the whole payload. */
  readonly jmespath?: string | undefined;
  /** JMESPath of each item: what of it is answered. */
  readonly fields?: readonly string[] | undefined;
  /** JMESPath of each item: whether it is answered. */
  readonly where?: string | undefined;
  /** JMESPath of each item by which they are sorted; `-` first: the largest first. */
  readonly sort?: string | undefined;
  /** The handle of what is there now, where `output_handle` is what was there before. */
  readonly diff?: string | undefined;
  readonly schema?: boolean | undefined;
  readonly stats?: boolean | undefined;
  /** Where it begins: an item, a byte, or a row of what is sorted. */
  readonly offset: number;
  /** Most rows. */
  readonly limit: number;
}

/** One page of an answer, in the shape of a page of the output. */
interface QueryPage {
  readonly output_handle: string;
  readonly offset: number;
  readonly limit: number;
  readonly returned: number;
  /** Items or bytes of the output; rows where all were counted. */
  readonly total: number;
  /** Null exactly when `eof`. */
  readonly next_offset: number | null;
  readonly content: readonly JsonValue[];
  readonly eof: boolean;
}

export interface QueriedPage {
  readonly page: Clean<QueryPage>;
  /** What the numbers count, and what was not looked at. */
  readonly notes: readonly string[];
  readonly stored: StoredFacts;
}

/** Answers questions about stored outputs without giving them out (`server/output/query`). */
export interface OutputQueries {
  /** @throws SpillwayError `invalid_argument` that names the field, and what reading a handle throws */
  query(request: QueryRequest, signal: AbortSignal): Promise<QueriedPage>;
}
