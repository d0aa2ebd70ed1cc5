import { z } from 'zod';
import { Caller } from '../../../shared/act/caller.ts';
import { CallFacts } from '../../../shared/policy/call-facts.ts';
import { Grant, Scope } from '../../../shared/policy/decision.ts';
import { QuestionOutcome, Refusal } from '../../../shared/policy/question-methods.ts';
import { LedgerReport } from '../../../shared/policy/ledger-report.ts';
import { ShownElement } from '../../../shared/policy/shown-element.ts';
import { Risk } from '../../../shared/policy/risks.ts';

/** What a person is asked: one need of one call. */
export const Question = z.object({
  id: z.string(),
  /** Instance of the server. */
  server: z.string(),
  caller: Caller,
  call: CallFacts,
  /** The arguments were left out, because too many questions wait: they come again when it is their turn. */
  is_stub: z.boolean(),
  /** A rule of the person can answer it next time: it was not a server's flag that asked. */
  can_remember: z.boolean(),
  /** The agent's own client asks: no window shows it until the server hands it to the person at the browser. */
  is_held: z.boolean().default(false),
  /** Names the home of the server, whose next one may take what is reported to the ledger. */
  home: z.string().nullable().default(null),
  /** Only a yes to this very call will do. */
  is_alone: z.boolean().default(false),
  risks: z.array(Risk).min(1),
  url: z.string(),
  origin: z.string(),
  tab_id: z.int().nullable(),
  document_id: z.string().nullable(),
  asked_at: z.number(),
});
export type Question = z.infer<typeof Question>;

/** Questions of one kind from one agent about one site, the oldest first: a person sees them as one. */
export const Card = z.object({ key: z.string(), questions: z.array(Question).min(1) });
export type Card = z.infer<typeof Card>;

/** A grant, and which call has used one that is good for one call. */
export const HeldGrant = Grant.extend({
  question: z.string(),
  home: z.string().nullable().default(null),
  /** What the card said of the elements that the call names, of a grant for one call. */
  elements: z.record(z.string(), ShownElement).default({}),
  /** The address that the card showed, of one for a document. */
  url: z.string().nullable().default(null),
  used: z.object({ call_id: z.string(), at: z.number() }).nullable(),
});
export type HeldGrant = z.infer<typeof HeldGrant>;

/** A question that has come to its end. */
const Ended = z.object({
  id: z.string(),
  server: z.string(),
  at: z.number(),
  outcome: QuestionOutcome,
  home: z.string().nullable().default(null),
  agent: z.object({ name: z.string(), session: z.string() }).default({ name: '', session: '' }),
  risks: z.array(Risk).default([]),
  site: z.string().nullable().default(null),
});

/** A report that no server has acknowledged. */
const WaitingReport = z.object({ home: z.string().nullable(), report: LedgerReport });
export type WaitingReport = z.infer<typeof WaitingReport>;

/** A question that outlives its server, and what proves that another server may have it. */
const KeptQuestion = z.object({ id: z.string(), key_hash: z.string() });

/** All that a worker that is started again has to know. */
export const QuestionState = z.object({
  cards: z.array(Card),
  grants: z.array(HeldGrant),
  ended: z.array(Ended),
  refused: z.array(Refusal),
  kept: z.array(KeptQuestion).default([]),
  /** How far the last yes reached, by agent and site, the latest at the end. */
  scopes: z.record(z.string(), Scope).default({}),
  /** Reports to the ledger that no server has acknowledged, the oldest first. */
  reports: z.array(WaitingReport).default([]),
  /** The latest time that was seen: a clock that is behind it was set back. */
  latest: z.number(),
  /** The window that was opened to ask in. */
  window: z.object({ id: z.int(), tab_id: z.int() }).nullable(),
  /** Kinds of questions that were there when a person closed the window: it does not open again for them. */
  dismissed: z.array(z.string()),
  /** When that was: another extension can close it, too, so it opens again for what is asked later. */
  dismissed_at: z.number().default(0),
});
export type QuestionState = z.infer<typeof QuestionState>;

export const emptyState = (): QuestionState => ({
  cards: [],
  grants: [],
  ended: [],
  refused: [],
  kept: [],
  scopes: {},
  reports: [],
  latest: 0,
  window: null,
  dismissed: [],
  dismissed_at: 0,
});
