import type { Point } from '../core/ports/page-answers.ts';

/** Bits: 1 Alt, 2 Control, 4 Meta, 8 Shift. */
type Modifiers = number;

interface Button {
  readonly button: 'left' | 'right';
  /** Which click of a series this is. */
  readonly clickCount: number;
  readonly modifiers: Modifiers;
}

/** A key that goes down or up, with names as in `KeyboardEvent`. */
export interface Stroke {
  readonly key: string;
  readonly code: string;
  /** As Windows numbers keys. */
  readonly number: number;
  readonly location?: number;
  readonly modifiers: Modifiers;
  /** Typed as the key goes down. */
  readonly text?: string;
  readonly isRepeat?: boolean;
  /** An editing command of macOS that the key gives. */
  readonly command?: string;
}

/**
 * Gives input to a document, as a person does: at points of the drawing that has the document, or to the focus. Each
 * method hands its event over at once. Its promise resolves when the browser has taken it, which proves no arrival.
 */
export interface Device {
  /** @param isPressed the left button is down */
  move(at: Point, modifiers: Modifiers, isPressed?: boolean): Promise<unknown>;
  press(at: Point, how: Button): Promise<unknown>;
  release(at: Point, how: Button): Promise<unknown>;
  wheel(at: Point, by: Point, modifiers: Modifiers): Promise<unknown>;
  /** @param points of the fingers that stay down */
  touch(phase: 'start' | 'move' | 'end', points: readonly Point[], modifiers: Modifiers): Promise<unknown>;
  /** @param at a point of the tab */
  pinch(at: Point, scale: number, timeoutMs: number): Promise<unknown>;
  key(phase: 'down' | 'up', stroke: Stroke): Promise<unknown>;
  /** Replaces the selection, in one event without keys. */
  insert(text: string): Promise<unknown>;
  /** Carries what a browser drags by itself. @param data as {@link Drags} reports it */
  drag(phase: 'enter' | 'over' | 'drop', at: Point, data: unknown, modifiers: Modifiers): Promise<unknown>;
}
