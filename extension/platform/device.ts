import type { ServerPort } from '../core/handler.ts';
import type { Point } from '../core/ports/page-answers.ts';
import type { DebuggerLease } from './chromium/debugger/sessions.ts';
import type { FrameSessions } from './chromium/frame-sessions.ts';

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
  /**
   * Replaces the selection, in one event without keys, and releases the key of an input method.
   * @param byScript does so where no device can
   */
  insert(text: string, byScript: () => Promise<unknown>): Promise<unknown>;
  /** Puts files into the field that answers an event of this name: see {@link TabInput.givesFiles}. */
  files(name: string, files: readonly DeviceFile[]): Promise<unknown>;
  /** Carries what a browser drags by itself. @param data as {@link Drags} reports it */
  drag(phase: 'enter' | 'over' | 'drop', at: Point, data: unknown, modifiers: Modifiers): Promise<unknown>;
}

/** A file for a page: its name, and its bytes in base64. */
export interface DeviceFile {
  readonly name: string;
  readonly parts: readonly string[];
}

/** A document that gets input. */
export interface Drawn {
  readonly frameId: number;
  readonly documentId: string;
  /** Names its script to the debugger. */
  readonly scriptId: string;
}

/** Opens devices for the documents of a tab. */
export interface TabInput {
  /** Names the drawing that has a document; null is the tab's own. @throws SpillwayError `page_changed` */
  drawingOf(page: Drawn): Promise<string | null>;
  /** @param before called in the turn that sends events; it throws to keep them back */
  device(drawing: string | null, before: () => void): Device;
  /**
   * Has the browser report drags that it runs by itself, instead of running them where it can.
   * @param from the document of what is dragged
   * @param onDrag receives the data for `Device.drag`
   * @returns when it does so, and a function that ends it
   */
  interceptDrags(
    from: Drawn,
    onDrag: (data: unknown) => void,
  ): {
    readonly started: Promise<unknown>;
    stop(): Promise<unknown>;
  };
  /** Its devices put files into file fields; otherwise scripts do. */
  readonly givesFiles: boolean;
  /** For receipts: a script drops what the browser drags by itself. Null if the device does. */
  readonly dropNote: string | null;
  /** Releases keys and buttons that are still pressed. */
  release(): Promise<void>;
}

/** A tab that gets input, and what may give it. */
export interface InputTarget {
  readonly tabId: number;
  /** Null if the debugger cannot attach. */
  readonly attached: { readonly lease: DebuggerLease; readonly frames: FrameSessions } | null;
  readonly server: ServerPort;
  readonly signal: AbortSignal;
}
