import type { Caller } from '../../../shared/act/caller.ts';
import type { CallFacts } from '../../../shared/policy/call-facts.ts';
import type { Scope } from '../../../shared/policy/decision.ts';
import type { Risk } from '../../../shared/policy/risks.ts';
import type { ShownElements } from '../../../shared/policy/shown-element.ts';
import type { Rule } from '../../../shared/policy/policy.ts';

/** What a call is about to do in one document, or to one address. */
export interface Need {
  /** Instance of the server that asks. */
  readonly server: string;
  readonly caller: Caller;
  /** Null where the server did not say which call it is: nobody can be asked about it. */
  readonly call: CallFacts | null;
  /** The agent's own client is to ask, where the person allows that. */
  readonly asks?: 'client' | undefined;
  /** Names the home of the server. */
  readonly home?: string | undefined;
  /** At least one. */
  readonly risks: readonly Risk[];
  /** Of the document, or the address that is opened or fetched. */
  readonly url: string;
  /**
   * What the rules are about, `https://shop.example:8443`, or `null` for what has no site. A document that another
   * one made (`about:srcdoc`, `blob:`) has the origin of that one.
   */
  readonly origin: string;
  /** Null for what concerns no tab: a fetch, a page of a crawl. */
  readonly tabId: number | null;
  /** Null for an address that has no document yet. */
  readonly documentId: string | null;
  /** Only a yes to this very call will do. */
  readonly isAlone?: boolean | undefined;
}

/** A grant that was used. */
export interface GrantUse {
  readonly id: string;
  readonly scope: Scope;
  /** What the person was shown of the elements that the call names. Empty for what is not for one call. */
  readonly elements: ShownElements;
}

/** What asks people, and remembers what they allowed. */
export interface Approvals {
  /** Uses a grant that covers the need; null if no grant does. */
  use(need: Need): Promise<GrantUse | null>;
  /** Asks a person; the same need of the same call joins the question that is open. */
  raise(need: Need, rule: Rule): Promise<{ readonly id: string }>;
  /** Ends a grant: what it was given for is not there any longer. */
  withdraw(grant: string): Promise<void>;
  /** Ends a question of a server that does not need the answer. False when it was not open. */
  cancel(id: string, server: string): Promise<boolean>;
}
