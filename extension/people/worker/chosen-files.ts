import { BoundedMap } from '../../../shared/base/maps.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { base64Bytes } from '../../core/ports/base64.ts';
import type { ApproveRequest } from '../requests-port.ts';

/** The grant of an approved question: it is approved once. */
export const grantIdOf = (question: string): string => question.replace(/^q_/, 'g_');

/** A file that a person chose on a card, in base64. */
export interface ChosenFile {
  readonly step: number;
  readonly name: string;
  readonly mime: string;
  readonly chunks: readonly string[];
}

/** Cards whose files are kept: those before were answered. */
const CARDS_MOST = 2;

interface OnCard {
  readonly files: (ChosenFile & { readonly chunks: string[] })[];
  bytes: number;
}

/** Files that people chose on cards, until the allowed call takes them. Nothing of them is stored. */
export class ChosenFiles {
  readonly #cards = new BoundedMap<string, OnCard>(CARDS_MOST);

  /** Takes the next part of a card's files, which begin again with the first part of the first. */
  add({ question, step, file, data, ...named }: Extract<ApproveRequest, { type: 'choose' }>): void {
    const grant = grantIdOf(question);
    if (file === 0 && named.name !== undefined) this.#cards.set(grant, { files: [], bytes: 0 });
    const card = this.#cards.get(grant);
    if (card === undefined) return;
    card.bytes += base64Bytes(data);
    const { name, mime = '' } = named;
    if (name !== undefined) card.files[file] = { step, name, mime, chunks: [data] };
    else card.files[file]?.chunks.push(data);
    // The card warns of it: this was sent by no card.
    if (card.bytes > LIMITS.uploadBytes) this.#cards.delete(grant);
  }

  /** The files that were chosen with an approval, once. */
  take(grant: string): readonly ChosenFile[] {
    const { files = [] } = this.#cards.get(grant) ?? {};
    this.#cards.delete(grant);
    return files;
  }
}
