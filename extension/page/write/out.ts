import type { FrameMark, Piece } from '../protocol.ts';

/** Collects what a writer says, in pieces that a port can carry. */
export class Out {
  #text = '';
  #pieces: Piece[] = [];
  #units = 0;
  readonly #pieceUnits: number;

  /** @param pieceUnits UTF-16 code units after which a piece is closed. */
  constructor(pieceUnits: number) {
    this.#pieceUnits = pieceUnits;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= this.#pieceUnits) this.#close();
  }

  mark(frame: FrameMark): void {
    this.#close();
    this.#pieces.push(frame);
  }

  /** UTF-16 code units written and not yet taken. */
  get units(): number {
    return this.#units + this.#text.length;
  }

  /** Takes about `units` of what is there, oldest first. */
  take(units: number): Piece[] {
    if (this.#pieces.length === 0) this.#close();
    const taken: Piece[] = [];
    let count = 0;
    let used = 0;
    for (const piece of this.#pieces) {
      if (used > 0 && count >= units) break;
      used += 1;
      if (typeof piece === 'string') count += piece.length;
      taken.push(piece);
    }
    this.#pieces.splice(0, used);
    this.#units -= count;
    return taken;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#text === '';
  }

  /** Cuts what was said into pieces between code points. */
  #close(): void {
    let rest = this.#text;
    this.#text = '';
    while (rest.length > this.#pieceUnits * 2) {
      const cut = cutBefore(rest, this.#pieceUnits);
      this.#add(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    if (rest !== '') this.#add(rest);
  }

  #add(piece: string): void {
    this.#pieces.push(piece.toWellFormed());
    this.#units += piece.length;
  }
}

/** The last place at or before `at` that is not inside a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  const isInside = unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return isInside ? at - 1 : at;
}
