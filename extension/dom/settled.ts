import { isDocument } from './elements.ts';

/** Sets an animation to its end, and returns a function that sets it back; null for one that does not move towards an end. */
function end(animation: Animation): (() => void) | null {
  const { effect, playState, playbackRate, currentTime } = animation;
  const endTime = effect?.getComputedTiming().endTime;
  if (playState !== 'running' || typeof currentTime !== 'number' || typeof endTime !== 'number') return null;
  if (!Number.isFinite(endTime)) return null;
  animation.currentTime = playbackRate < 0 ? 0 : endTime;
  return () => {
    animation.currentTime = currentTime;
  };
}

export const isOfElement = (effect: AnimationEffect | null): effect is KeyframeEffect =>
  effect !== null && 'target' in effect;

/** Whether an element that is transparent at this scroll position has another opacity at others. */
export const isRevealedByScrolling = (el: Element): boolean =>
  el
    .getAnimations()
    .some(
      ({ timeline, effect }) =>
        timeline !== null &&
        'source' in timeline &&
        isOfElement(effect) &&
        effect.getKeyframes().some(({ opacity }) => Number(opacity) > 0),
    );

/**
 * Animations pause in background tabs. While `work` runs, finite ones are set to their end, so that style and layout
 * are as a person will see them. They are reset within the same task, and fire no event.
 */
export class SettledAnimations {
  readonly #trees = new Set<Document | ShadowRoot>();
  readonly #undo: (() => void)[] = [];

  /** Takes in a tree, for this work and the next. */
  add(tree: Document | ShadowRoot): void {
    if (!(isDocument(tree) ? tree : tree.ownerDocument).hidden) return;
    this.#trees.add(tree);
    this.#settle(tree);
  }

  during<T>(work: () => T): T {
    for (const tree of this.#trees) this.#settle(tree);
    try {
      return work();
    } finally {
      this.undo();
    }
  }

  undo(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  #settle(tree: Document | ShadowRoot): void {
    this.#undo.push(
      ...tree
        .getAnimations()
        .map(end)
        .filter((undo) => undo !== null),
    );
  }
}
