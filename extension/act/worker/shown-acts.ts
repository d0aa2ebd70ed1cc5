import type { Point, Box } from '../../core/ports/page-answers.ts';
import type { Held } from './act-page.ts';

/** A step as a recording of its tab shows it, in the viewport's CSS pixels. */
export interface ShownAct {
  /** `Click button Save` */
  readonly text: string;
  readonly box: Box | null;
  readonly point: Point | null;
}

/** Resolves when the page as the step finds it has been recorded. Never rejects. */
type Shower = (act: ShownAct, signal: AbortSignal) => Promise<void>;

const showers = new Map<number, Shower>();

/** Only one recording of a tab exists. */
export function showActs(tabId: number, shower: Shower): () => void {
  showers.set(tabId, shower);
  return () => {
    if (showers.get(tabId) === shower) showers.delete(tabId);
  };
}

/** Shows the steps of one act; each once. */
export class ActShower {
  readonly #shower: Shower | undefined;
  /** Null once it is shown. */
  #verb: string | null = null;

  constructor(
    tabId: number,
    private readonly signal: AbortSignal,
  ) {
    this.#shower = showers.get(tabId);
  }

  /** A step begins. @param line as in receipts: its verb comes first */
  begin(line: string): void {
    this.#verb = (line.split(' ', 1)[0] ?? '').replace('_', ' ');
  }

  get isOn(): boolean {
    return this.isRecorded && this.#verb !== null;
  }

  get isRecorded(): boolean {
    return this.#shower !== undefined;
  }

  /** @param point where the step aims, in the tab's viewport */
  async show({ page, facts }: Held, point: Point | null = null, verb = this.#verb): Promise<void> {
    if (this.#shower === undefined || this.#verb === null) return;
    const outline = await page.ask({ do: 'outline', held: facts.held }, this.signal).catch(() => null);
    if (outline?.isInView === false && point === null) return;
    const box = outline?.isInTab === true ? outline.box : null;
    await this.#tell(`${verb} ${facts.line}`, { box, point: point ?? (box && middleOf(box)) });
  }

  /** A step without a target. */
  showWords(words: string): Promise<void> {
    return this.#tell(words.trim(), { box: null, point: null });
  }

  async #tell(words: string, where: Omit<ShownAct, 'text'>): Promise<void> {
    this.#verb = null;
    const text = words.charAt(0).toUpperCase() + words.slice(1);
    await this.#shower?.({ text, ...where }, this.signal);
  }
}

export const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });
