import type { CleanPayload, Produced, RawPayload } from '../../server/core/result.ts';

// Tests invent data that a redactor would have returned.
export { vouch, vouchAs, vouchBytes, vouchEach } from '../../server/libraries/redaction/mark.ts';

/** The raw or clean payload of a runtime's result. */
export function payloadOf(produced: Produced): RawPayload | CleanPayload {
  return 'clean' in produced ? produced.clean : produced.payload;
}
