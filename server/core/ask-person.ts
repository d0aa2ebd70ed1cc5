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

/** A page that another server wants a person to open. */
export interface PersonPage {
  /** Unique in the session. */
  readonly id: string;
  readonly message: string;
  /** http or https. */
  readonly url: string;
}

/** Shows pages to the person behind a client, who opens them or does not. Nothing opens one by itself. */
export interface PersonPages {
  /** @throws SpillwayError `human_input_expired`, `human_unreachable` */
  ask(page: PersonPage, signal: AbortSignal): Promise<PersonReply['action']>;
  /** The call fails, and these have to be opened before it is made again. */
  require(pages: readonly PersonPage[]): void;
  /** What a page was for has happened. */
  completed(id: string): void;
}

/** @throws SpillwayError `human_input_expired`, or `human_unreachable` where the client cannot show it after all */
export type AskPerson = (form: PersonForm, signal: AbortSignal) => Promise<PersonReply>;
