import type { AnswerRefusal } from '../../../shared/people/question-methods.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { sha256 } from '../../core/sha256.ts';
import { grantOf } from './grants.ts';
import type { QuestionMemory } from './ledger-reports.ts';
import type { Questions } from './questions.ts';
import type { Question } from './queue.ts';
import type { Caller } from '../../../shared/core/policy/call-facts.ts';

interface HeldOptions {
  readonly questions: Questions;
  readonly memory: QuestionMemory;
  readonly areAllowed: () => Promise<boolean>;
  /** A session continues another one's work. */
  readonly onAdopt: (sessions: { readonly from: string; readonly to: string }) => Promise<void>;
}

type Fault = AnswerRefusal['reason'];

interface HeldAnswer {
  readonly id: string;
  readonly approve: boolean;
  readonly reason?: string | undefined;
}

/** Questions asked by agents' clients. Their answers count once, and only while the person allows it. */
export class HeldQuestions {
  /** One answer at a time: the second must see what the first has ended. */
  readonly #turns = new Queue(1);

  constructor(private readonly options: HeldOptions) {}

  async claim(
    id: string,
    server: string,
  ): Promise<{ state: 'held' | 'off' | 'shown'; question: Question | null }> {
    const { questions, areAllowed } = this.options;
    await questions.loaded;
    const isAllowed = await areAllowed();
    const found = questions.find(id);
    const question = found?.server === server ? found : null;
    if (question?.is_held === true && isAllowed) return { state: 'held', question };
    // Client answers were switched off since the question was raised.
    await this.release(id, server);
    return { state: question !== null && !isAllowed ? 'off' : 'shown', question };
  }

  /**
   * Shows a question to the person at the browser. False if it is already shown, has ended, or belongs to another
   * server.
   */
  async release(id: string, server: string): Promise<boolean> {
    const { questions } = this.options;
    await questions.loaded;
    return questions.show((question) => question.id === id && question.server === server);
  }

  /** Accepts a client's answer, or rejects it with a reason. */
  answer(answer: HeldAnswer, server: string): Promise<Fault | null> {
    return this.#turns.add(() => this.#answer(answer, server));
  }

  async #answer(answer: HeldAnswer, server: string): Promise<Fault | null> {
    const { questions, areAllowed } = this.options;
    await questions.loaded;
    const isAllowed = await areAllowed();
    const question = questions.find(answer.id);
    const reason = this.#fault(answer.id, question, server, isAllowed);
    if (reason === null && question !== null) {
      await this.#perform(question, answer);
      return null;
    }
    await questions.refuse(reason ?? 'no_such_question', answer.id);
    return reason;
  }

  #fault(id: string, question: Question | null, server: string, isAllowed: boolean): Fault | null {
    if (question === null) return this.options.questions.hasEnded(id) ? 'already_ended' : 'no_such_question';
    // A server may not answer another one's questions.
    if (question.server !== server) return 'no_such_question';
    if (!question.is_held) return 'not_held';
    return isAllowed ? null : 'clients_off';
  }

  async #perform(question: Question, { approve, reason }: HeldAnswer): Promise<void> {
    const { questions, memory } = this.options;
    const ids = new Set([question.id]);
    if (!approve) {
      await questions.decide(ids, { approve: false, where: 'client', reason });
      return;
    }
    const id = `g_${crypto.randomUUID()}`;
    const { args_hash: argsHash } = question.call;
    questions.grants.add(
      grantOf(question, { id, scope: 'once', where: 'client', argsHash, now: memory.time() }),
    );
    await questions.decide(ids, { approve: true, scope: 'once', where: 'client', grant: id });
  }

  /**
   * Keeps a question beyond its server, with the hash of a key that only a file of its home contains: the next server of
   * that home presents the key. False for an unknown question, or another server's.
   */
  async keep(
    { id, key_hash: keyHash }: { readonly id: string; readonly key_hash: string },
    server: string,
  ): Promise<boolean> {
    const { questions, memory } = this.options;
    await memory.loaded;
    const { state } = memory;
    const known = questions.find(id) ?? state.ended.find((one) => one.id === id);
    if (known?.server !== server) return false;
    state.kept = [...state.kept.filter((one) => one.id !== id), { id, key_hash: keyHash }];
    await memory.save();
    return true;
  }

  /** Moves a question to the server. A wrong key is rejected and recorded. */
  async adopt(
    { id, key, caller }: { readonly id: string; readonly key: string; readonly caller: Caller },
    server: string,
  ): Promise<boolean> {
    const { questions, memory, onAdopt } = this.options;
    await memory.loaded;
    const hash = await sha256(key);
    const { state } = memory;
    const open = questions.find(id);
    const agent = open?.caller ?? state.ended.find((one) => one.id === id)?.agent;
    if (agent === undefined) return false;
    if (!state.kept.some((one) => one.id === id && one.key_hash === hash)) {
      await questions.refuse('wrong_key', id);
      return false;
    }
    await questions.rebind(id, { server, caller });
    await onAdopt({ from: agent.session, to: caller.session });
    return true;
  }
}
