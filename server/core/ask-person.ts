import type { JsonObject } from '../../shared/json.ts';

/** A question that the client shows to its person. */
interface PersonForm {
  readonly message: string;
  /** JSON Schema of an object of scalars. */
  readonly schema: JsonObject;
}

/** What came of it. What a client answers is not verified: it may not have asked anyone. */
export interface PersonReply {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: JsonObject;
}

/** @throws SpillwayError `human_input_expired`, or `human_unreachable` where the client cannot show it after all */
export type AskPerson = (form: PersonForm, signal: AbortSignal) => Promise<PersonReply>;
