import { z } from 'zod';
import { LIMITS } from '../../base/limits.ts';

const Id = z.string().min(1).max(128);
const Pixels = z.number().min(-1_000_000).max(1_000_000);
const WholePixels = z.int().min(-1_000_000).max(1_000_000);

/** An action of WebDriver: https://w3c.github.io/webdriver-bidi/#command-input-performActions */
const Action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.enum(['keyDown', 'keyUp']), value: z.string().min(1).max(8) }),
  z.object({ type: z.literal('pointerMove'), x: Pixels, y: Pixels }),
  z.object({ type: z.enum(['pointerDown', 'pointerUp']), button: z.int().min(0).max(2) }),
  z.object({
    type: z.literal('scroll'),
    ...{ x: WholePixels, y: WholePixels, deltaX: WholePixels, deltaY: WholePixels },
  }),
]);
export type InputAction = z.infer<typeof Action>;

/** The actions of a device, one for each tick. */
const Source = z.object({
  type: z.enum(['key', 'pointer', 'wheel']),
  id: Id,
  parameters: z.object({ pointerType: z.enum(['mouse', 'touch']) }).optional(),
  actions: z.array(Action).max(500),
});
export type InputSource = z.infer<typeof Source>;

const Done = z.object({});

/** A dialog of a tab, by the context of its top document. */
const Dialog = z.object({
  context: Id,
  type: z.string().max(32),
  message: z.string().max(2_000),
  default_text: z.string().max(2_000),
});

/** Settings of a tab; null ends one. */
const Emulation = z
  .object({
    geolocation: z.object({ latitude: z.number(), longitude: z.number(), accuracy: z.number() }).nullable(),
    locale: z.string().max(100).nullable(),
    network: z.literal('offline').nullable(),
    timezone: z.string().max(100).nullable(),
    user_agent: z.string().max(1_000).nullable(),
    viewport: z.object({ width: z.int(), height: z.int(), scale: z.number() }).nullable(),
  })
  .partial();
export type Emulation = z.infer<typeof Emulation>;

/**
 * Trusted input, the dialogs of the tabs that got it, and emulation. Only a server that has started the browser answers:
 * it speaks WebDriver BiDi with it.
 */
export const INPUT_METHODS = {
  /** Tells each document the id of its browsing context, by an event of a name that no page can foresee. */
  'input.announce': { params: z.object({ name: Id }), result: Done },
  /** Brings the tab of a context to the front, and resolves when the browser has taken the input there. */
  'input.perform': { params: z.object({ context: Id, actions: z.array(Source).max(20) }), result: Done },
  /** Releases the keys and buttons that are still pressed. */
  'input.release': { params: z.object({ context: Id }), result: Done },
  /** Adds a part to a file for a document, in base64. Its parts come in order. */
  'input.stage': {
    params: z.object({
      context: Id,
      file: Id,
      /** As the page sees it. */
      name: z.string().min(1).max(255),
      data: z.string().max(Math.ceil(LIMITS.uploadChunkBytes / 3) * 4),
    }),
    result: Done,
  },
  /** Puts files into the field of a document that answers an event of this name, as a person does. */
  'input.files': {
    params: z.object({ context: Id, name: Id, files: z.array(Id).max(LIMITS.uploadFiles) }),
    result: Done,
  },
  /** Changes what the tab of a context emulates, until that is undone or the tab is closed. */
  'input.emulate': { params: z.object({ context: Id, set: Emulation }), result: Done },
  /** The open dialogs: at once if the number of changes is not `changes`, else with the next one, or after `wait_ms`. */
  'input.dialogs': {
    params: z.object({ changes: z.int().min(0), wait_ms: z.int().min(0).max(60_000) }),
    result: z.object({ changes: z.int(), dialogs: z.array(Dialog).max(100) }),
  },
  /** Answers a dialog, and resolves once it is closed. */
  'input.answer': {
    params: z.object({ context: Id, accept: z.boolean(), text: z.string().max(100_000) }),
    result: Done,
  },
} as const;
