/** Why something could not be read, as the worker or this page says it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** What was thrown, for a person. The code may be one that this page does not know. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { code: 'internal_error', message: String(thrown), hint: null };
  return {
    code: 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'internal_error',
    message: thrown.message,
    hint: 'hint' in thrown && typeof thrown.hint === 'string' && thrown.hint !== '' ? thrown.hint : null,
  };
}
