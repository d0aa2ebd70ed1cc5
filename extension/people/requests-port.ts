import { z } from 'zod';
import { LIMITS } from '../../shared/base/limits.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { Scope } from '../../shared/core/policy/decision.ts';
import { ARGUMENT_UNITS } from '../../shared/core/policy/names.ts';
import { HumanAnswer } from '../../shared/people/takeover.ts';

/* Requests of pages to the worker, which parses them. The pages import only the types. */

/** Restarts the connection, or allows debugging again. */
const LinkRequest = z.strictObject({ type: z.enum(['retry', 'allow_debugging']) });

/** Lends the front tab to the agent of that name at a server. */
const GiveRequest = z.strictObject({
  type: z.literal('give'),
  server: z.string().max(64),
  agent: z.string().max(100),
});
export type GiveRequest = z.infer<typeof GiveRequest>;

export const PopupRequest = z.union([
  LinkRequest,
  GiveRequest,
  /** Of all sessions of that name; null: everyone. */
  z.strictObject({
    type: z.literal('control'),
    agent: z.string().max(100).nullable(),
    state: z.enum(['stopped', 'on']),
  }),
  /** Brings the approval window to the front. */
  z.strictObject({ type: z.literal('show_questions') }),
]);
export type PopupRequest = z.infer<typeof PopupRequest>;

/** A person points at an element, and gives it to a session of an agent. */
const PickRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pick'), act: z.enum(['start', 'stop']) }),
  z.strictObject({
    type: z.literal('pick_send'),
    server: z.string().max(64),
    session: z.string().min(1).max(128),
    /** Its name. */
    agent: z.string().max(100),
    said: z.string().max(1_000),
  }),
]);
export type PickRequest = z.infer<typeof PickRequest>;

/** A person records what they do in the front tab, and keeps it as a recipe. */
const RecordRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('record'), act: z.enum(['start', 'stop', 'discard']) }),
  z.strictObject({
    type: z.literal('record_keep'),
    /** The server that stores it. */
    server: z.string().max(64),
    title: z.string().trim().min(1).max(200),
    /** Those that are kept, each with its parameter. */
    steps: z
      .array(
        z.strictObject({
          id: z.int(),
          parameter: z
            .string()
            .regex(/^[A-Za-z_]\w{0,63}$/)
            .nullable(),
        }),
      )
      .min(1)
      .max(200),
  }),
]);
export type RecordRequest = z.infer<typeof RecordRequest>;

/** Accepted only from the side panel. */
export const PanelRequest = z.union([
  PickRequest,
  RecordRequest,
  GiveRequest,
  z.strictObject({ type: z.literal('revoke'), grant: z.string().max(64) }),
  LinkRequest,
  z.strictObject({ type: z.literal('label'), label: z.string().max(1_000) }),
  z.strictObject({ type: z.literal('asks'), asks: z.boolean() }),
  z.strictObject({ type: z.literal('client_answers'), areAllowed: z.boolean() }),
]);
export type PanelRequest = z.infer<typeof PanelRequest>;

const Args: z.ZodType<JsonObject> = z
  .record(z.string(), z.json())
  .refine((args) => JSON.stringify(args).length <= ARGUMENT_UNITS);

const Decide = z.strictObject({
  type: z.literal('decide'),
  question: z.string().max(64),
  token: z.string().max(64),
  answer: z.discriminatedUnion('approve', [
    z.strictObject({ approve: z.literal(true), scope: Scope, args: Args.optional() }),
    z.strictObject({ approve: z.literal(false), reason: z.string().max(1_000).optional() }),
  ]),
});

/** A person's answer to a take-over: show the tab, done, or refuse. An answer to a question counts as done. */
const TakeoverRequest = z.strictObject({
  type: z.literal('takeover'),
  takeover: z.string().max(64),
  token: z.string().max(64),
  act: z.enum(['show', 'done', 'decline']),
  reason: z.string().max(1_000).optional(),
  answer: HumanAnswer.optional(),
});
export type TakeoverRequest = z.infer<typeof TakeoverRequest>;

/** The next part of a file for a question. The first one names it. */
const Choose = z.strictObject({
  type: z.literal('choose'),
  question: z.string().max(64),
  token: z.string().max(64),
  /** The step that it is for, and its number among the files of the card. */
  step: z.int().min(0),
  file: z
    .int()
    .min(0)
    .max(LIMITS.uploadFiles - 1),
  name: z.string().min(1).max(300).optional(),
  mime: z.string().max(200).optional(),
  data: z.string().max(2 * LIMITS.uploadChunkBytes),
});

export const ApproveRequest = z.discriminatedUnion('type', [
  Decide,
  Choose,
  TakeoverRequest,
  /** Brings the window to the front, or opens it again. */
  z.strictObject({ type: z.literal('show_window') }),
  /** Undoes the Cancel on the debugging bar. */
  z.strictObject({ type: z.literal('allow_debugging') }),
  /** Takes the picture of a card that has none unless asked. */
  z.strictObject({ type: z.literal('show_picture') }),
]);
export type ApproveRequest = z.infer<typeof ApproveRequest>;
