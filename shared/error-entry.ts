/** Who has to change something for the call to work. */
export type Fault = 'caller' | 'page' | 'browser' | 'machine' | 'spillway';

/** What the table says of one code. */
export interface ErrorEntry {
  /** The next step for the reader, in one sentence. */
  readonly hint: string;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  readonly fault: Fault;
}

/** One line of the table. */
export const entry = (fault: Fault, retryable: boolean, hint: string): ErrorEntry => ({
  hint,
  retryable,
  fault,
});
