import type { JsonObject } from '../../../shared/json.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ResumeCall } from '../resume-call.ts';
import type { RaisedQuestion } from '../services.ts';
import type { WaitingCall } from './asked-call.ts';
import { definitionOf, type ToolCall } from './call.ts';
import { scopeOf } from './call-scope.ts';
import { validateArguments } from './validate.ts';

interface LeftOptions {
  readonly registry: ToolRegistry;
  readonly services: () => Promise<WaitingCall['services']>;
}

/** A question, and how the answer that says so names it. */
export type SaidQuestion = RaisedQuestion & { readonly message: string };

/** Calls that outlive their servers: those that are left here, and those that were left at a server before. */
export class LeftCalls {
  readonly #options: LeftOptions;
  /** What browsers are asked now, by the ids of calls. */
  readonly #questions = new Map<string, RaisedQuestion>();

  constructor(options: LeftOptions) {
    this.#options = options;
  }

  /** A browser asks about a call. Returns what to call when it does so no longer. */
  note(callId: string, question: RaisedQuestion): () => void {
    this.#questions.set(callId, question);
    return () => {
      if (this.#questions.get(callId) === question) this.#questions.delete(callId);
    };
  }

  /** The caller of a call has left: the next server may resume it, where it can. */
  async keep({ callId, session }: ToolCall): Promise<void> {
    const question = this.#questions.get(callId);
    if (question === undefined) return;
    const { kept } = await this.#options.services();
    await kept.keep(question, session);
  }

  /** From now on no other server can perform the call. @throws SpillwayError where another one has it */
  async take(callId: string): Promise<void> {
    const { kept } = await this.#options.services();
    await kept.take(callId);
  }

  /**
   * Takes over a call that was left at a server before, and lets it wait with `raise`; null for one that is not known.
   * @throws SpillwayError as `KeptCalls.adopt`, and where the call cannot wait here
   */
  async adopt(
    callId: string,
    { session, signal }: Pick<Parameters<ResumeCall>[1], 'session' | 'signal'>,
    raise: (asked: WaitingCall, question: SaidQuestion) => void,
  ): Promise<ToolCall | null> {
    const { registry, services: load } = this.#options;
    const services = await load();
    const adopted = await services.kept.adopt(callId, session, signal);
    if (adopted === null) return null;
    const { tool, args: given, question: id } = adopted;
    const call = { callId, tool, args: given, session, signal: session.signal };
    try {
      const definition = definitionOf(registry, call);
      // What passed a schema of JSON is JSON.
      const args = validateArguments(definition.manifest, given) as JsonObject;
      const asked = { call, services, definition, args };
      raise(asked, {
        id,
        isAdopted: true,
        scope: scopeOf(asked),
        message: `A person is asked about ${tool}.`,
      });
      return call;
    } catch (thrown) {
      services.kept.forget(callId);
      throw thrown;
    }
  }
}
