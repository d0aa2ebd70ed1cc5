import type { CleanPayload, Produced, RawPayload } from '../../server/core/result.ts';

// Tests make up what a redactor would have given.
export { vouch, vouchAs, vouchBytes, vouchEach } from '../../server/redact/mark.ts';

/** The payload of what a runtime produced, raw or clean. */
export function payloadOf(produced: Produced): RawPayload | CleanPayload {
  return 'clean' in produced ? produced.clean : produced.payload;
}
