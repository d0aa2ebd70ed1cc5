import type { CodeView } from './code-blocks.ts';
import type { GeneratedHosts } from './generated-hosts.ts';
import type { Flow, Level, View } from './level.ts';

/**
 * How a walk judges what a person sees: by style and layout in a tab ({@link LayoutVisibility}), by what the
 * source says in a document that was only parsed ({@link SourceVisibility}).
 */
export interface VisibilityChecker {
  readonly codeView: CodeView;
  viewOf(document: Document): View;
  flagsOf(root: Document | ShadowRoot): number;
  /** Never part of the page, by its name. */
  isSkipped(el: Element, bits: number): boolean;
  /** Fills `level` and returns the element's flow, or null when nothing of its subtree is seen. */
  enter(el: Element, tag: string, parent: Level, level: Level): Flow | null;
  /** Whether text straight inside the level at `depth` is seen. */
  isTextSeen(depth: number): boolean;
  /** The visible part of a text node directly inside the level at `depth`. */
  seenText(depth: number, node: Text): string;
  /** Whether an element without text (a control, a picture) is seen. */
  isAtomSeen(el: Element, level: Level): boolean;
  isRepeatedNearby(el: Element): boolean;
  /** `text-transform` of the text straight inside the level at `depth`; empty for none. */
  transformOf(depth: number): string;
  /** The elements of a document or shadow tree with text by style. */
  hostsOf(root: Document | ShadowRoot): GeneratedHosts;
  /** The text that style puts before or after the content of the level at `depth`. */
  generatedOf(depth: number, pseudo: '::before' | '::after'): string;
  /** Whether an `<object>` shows its content, since it cannot show its data. */
  isFallbackShown(el: Element): boolean;
  isPointer(depth: number): boolean;
  isStruck(depth: number): boolean;
  /** Whether an element that the walk is not in is seen. */
  isShown(el: Element): boolean;
}

/** Makes the checker of one walk, which looks at its levels. */
export type VisibilityCheckerFactory = (
  levels: readonly Level[],
  includeHidden: boolean,
) => VisibilityChecker;
