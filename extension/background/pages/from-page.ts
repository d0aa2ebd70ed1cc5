import * as z from 'zod/mini';
import type { Coverage, PageFacts } from '../../../shared/bridge/page.ts';
import { isErrorCode, type ErrorCode } from '../../../shared/errors.ts';
import type { FromPage } from '../../page/protocol.ts';
import { Article } from '../../ports/article.ts';
import { WitnessedEvent } from '../act/answers.ts';

const Id = z.int();
const Numbers = z.array(z.number());

/** A code that this version does not know counts as ours. */
export const Failed = z.object({
  type: z.literal('failed'),
  id: Id,
  code: z.pipe(
    z.string(),
    z.transform((code): ErrorCode => (isErrorCode(code) ? code : 'internal_error')),
  ),
  message: z.string(),
  last: z.optional(z.int()),
});

export const Facts = z.object({
  url: z.string(),
  title: z.string(),
  lang: z.nullable(z.string()),
  content_type: z.string(),
  ready_state: z.enum(['loading', 'interactive', 'complete']),
  frames: z.int(),
  article: z.optional(Article),
}) satisfies z.ZodMiniType<PageFacts>;

export const Notes = z.array(z.object({ kind: z.string(), detail: z.string() })) satisfies z.ZodMiniType<
  Coverage[]
>;

const Mark = z.object({
  path: Numbers,
  number: z.int(),
  src: z.string(),
  name: z.string(),
  width: z.number(),
  height: z.number(),
  prefix: z.string(),
  follows: z.boolean(),
});
const Left = z.object({ ref: z.nullable(z.string()), share: z.number() });
const Done = z.object({
  page: Facts,
  coverage: Notes,
  hiddenElements: z.int(),
  mainContent: z.enum(['not_asked', 'found', 'whole_page']),
  left: z.optional(z.nullable(Left)),
});
const Link = z.object({ url: z.string(), text: z.string(), rel: z.optional(z.string()) });
const Surveyed = z.object({
  title: z.string(),
  canonical: z.nullable(z.string()),
  robots: z.array(z.string()),
  links: z.array(Link),
});
const BoxedElement = z.object({
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  isClipped: z.boolean(),
  matches: z.int(),
  note: z.nullable(z.string()),
  frame: z.nullable(z.extend(Mark, { x: z.number(), y: z.number(), scale: z.number() })),
});

/** What the worker parses each message of the content script with. */
export const FromPageMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('part'),
    id: Id,
    pieces: z.array(z.union([z.string(), Mark])),
    done: z.nullable(Done),
    needsNumbers: z.boolean(),
    last: z.optional(z.int()),
    report: z.optional(z.object({ tokens: z.number(), isCompared: z.boolean(), isOpen: z.boolean() })),
  }),
  z.object({ type: z.literal('started'), id: Id }),
  Failed,
  z.object({
    type: z.literal('located'),
    id: Id,
    path: Numbers,
    url: z.string(),
    width: z.number(),
    height: z.number(),
  }),
  z.object({ type: z.literal('heard'), id: Id, nonce: z.string(), number: z.int() }),
  z.object({ type: z.literal('pulsed'), id: Id, changes: z.int(), isStatic: z.boolean() }),
  z.object({ type: z.literal('surveyed'), id: Id, survey: Surveyed }),
  z.object({ type: z.literal('boxed'), id: Id, boxed: BoxedElement, last: z.optional(z.int()) }),
  z.object({
    type: z.literal('scrolled'),
    id: Id,
    state: z.object({
      fingerprint: z.string(),
      height: z.number(),
      grownPx: z.number(),
      isAtEnd: z.boolean(),
      end: z.enum(['new', 'fitting', 'known']),
      isStuck: z.boolean(),
      isOver: z.boolean(),
      isLossy: z.boolean(),
      looksToRest: z.int(),
      isPaced: z.boolean(),
      missingRows: z.nullable(z.object({ seen: z.number(), total: z.number() })),
    }),
  }),
  z.object({
    type: z.literal('found'),
    id: Id,
    found: z.object({
      hits: z.array(z.object({ line: z.string(), score: z.number() })),
      more: z.int(),
      isCounted: z.boolean(),
      hidden: z.int(),
      nearest: z.array(z.string()),
      frames: z.array(Mark),
    }),
    last: z.optional(z.int()),
  }),
  // Parsed by who asked: the question tells what it has to be.
  z.object({ type: z.literal('acted'), id: Id, answer: z.unknown(), last: z.optional(z.int()) }),
  z.object({ type: z.literal('witnessed'), id: Id, witnessed: WitnessedEvent }),
]) satisfies z.ZodMiniType<FromPage>;
