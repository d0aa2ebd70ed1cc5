import type { Caller } from '../../../shared/act/caller.ts';
import { sha256 } from './hash.ts';
import type { QuestionMemory } from './memory.ts';
import type { Questions } from './questions.ts';

/** Which server asks for a question, for which of its sessions, and what proves that it may. */
interface Adoption {
  readonly id: string;
  readonly key: string;
  readonly caller: Caller;
}

/**
 * Questions that outlive their servers. A server keeps one with the hash of a key that only a file of its home has, and the
 * next server of that home shows the key.
 */
export class KeptQuestions {
  readonly #questions: Questions;
  readonly #memory: QuestionMemory;
  readonly #onAdopt: (sessions: { readonly from: string; readonly to: string }) => Promise<void>;

  /** @param onAdopt a session continues what another one began */
  constructor(
    questions: Questions,
    memory: QuestionMemory,
    onAdopt: (sessions: { readonly from: string; readonly to: string }) => Promise<void>,
  ) {
    this.#questions = questions;
    this.#memory = memory;
    this.#onAdopt = onAdopt;
  }

  /** False for a question of another server, and one that is not known. */
  async keep(
    { id, key_hash: keyHash }: { readonly id: string; readonly key_hash: string },
    server: string,
  ): Promise<boolean> {
    await this.#memory.loaded;
    const { state } = this.#memory;
    const known = this.#questions.find(id) ?? state.ended.find((one) => one.id === id);
    if (known?.server !== server) return false;
    state.kept = [...state.kept.filter((one) => one.id !== id), { id, key_hash: keyHash }];
    await this.#memory.save();
    return true;
  }

  /** Makes a question the server's. A key that does not fit is refused and noted. */
  async adopt({ id, key, caller }: Adoption, server: string): Promise<boolean> {
    await this.#memory.loaded;
    const hash = await sha256(key);
    const { state } = this.#memory;
    const open = this.#questions.find(id);
    const agent = open?.caller ?? state.ended.find((one) => one.id === id)?.agent;
    if (agent === undefined) return false;
    if (!state.kept.some((one) => one.id === id && one.key_hash === hash)) {
      await this.#questions.refuse('wrong_key', id);
      return false;
    }
    await this.#questions.rebind(id, { server, caller });
    await this.#onAdopt({ from: agent.session, to: caller.session });
    return true;
  }
}
