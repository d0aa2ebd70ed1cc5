import type { MethodParams, MethodResult } from '../../../shared/core/bridge/methods.ts';
import { passwordRefused, type AskOf, type FilePart, type Quiet } from '../page/protocol.ts';
import type { PageAnswers } from '../../core/ports/page-answers.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { isAtOne, siteOf } from '../../../shared/core/policy/sites.ts';
import type { WaitConditions } from '../../../shared/wait/wait_for.methods.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import type { TabInput } from '../../platform/device.ts';
import type { PolicyPlace } from '../../core/policy/call-policy.ts';
import { placeOfFrame } from '../../core/policy/documents.ts';
import type { ActDebugger } from './act-debugger.ts';
import type { ActFrames } from './act-frames.ts';
import type { ActPage, Held } from './act-page.ts';
import type { FileChoosers } from './choosers.ts';
import type { ActShower } from './shown-acts.ts';
import type { Gate } from './gate.ts';
import type { ActTraffic, Resting } from './settle.ts';
import { valueText } from '../../../shared/act/step-words.ts';
import type { FieldValue, Step } from '../../../shared/act/steps.ts';

/** A secret that may be typed only at some sites. */
export type Bound = NonNullable<MethodParams<'act.run'>['secret']['bound']>[number];

/** Whether a field's or step's value is secret, and where it may be typed. */
export interface SecretUse {
  /** The value was written as `secret:NAME`, and comes from the file of `--secrets`. */
  readonly isSecret: boolean;
  readonly bound: readonly Bound[];
}

/** A unit of the act by its index, and its outcome: a note, or an error. */
export type Settled = [index: number, outcome: string | SpillwayError];

/** A field that was filled, and a note on it. */
export interface Filled {
  readonly held: Held;
  readonly note: string | null;
}

/** A field that a unit of the act typed into. */
export interface Typed extends SecretUse {
  readonly index: number;
  readonly held: Held;
  readonly text: string;
}

export interface Acting {
  readonly tabId: number;
  readonly frames: ActFrames;
  readonly gate: Gate;
  /** Null if the debugger cannot attach. */
  readonly attached: ActDebugger | null;
  /** Without its devices, which only the gate makes. Null if scripts send the events. */
  readonly input: Omit<TabInput, 'device'> | null;
  /** Null if the debugger cannot attach. */
  readonly choosers: FileChoosers | null;
  readonly isMac: boolean;
  waitMs: number;
  /** The acting session opened the tab, in a browser that its server launched. */
  readonly mayTypePasswords: boolean;
  /** The files of an upload step, by name. */
  readonly filesOf: (step: Step) => readonly string[];
  /** A part of one of the call's files. @throws SpillwayError `upload_refused` */
  readonly filePart: (name: string, part: number) => FilePart;
  /** Waits in the tab until these conditions are met, or for a given time. */
  readonly wait: (conditions: WaitConditions) => Promise<MethodResult<'page.await'>>;
  /**
   * Whether a person permits typing a secret into a field other than a password field. False if nobody can be asked.
   */
  readonly mayReveal: (place: PolicyPlace) => Promise<boolean>;
  /** A field or a step with the secrets that the server makes now, in place of their keys. */
  readonly reveal: <One extends { readonly value?: FieldValue | undefined }>(one: One) => Promise<One>;
  readonly traffic: ActTraffic;
  /** The ids of all pending requests of the tab. */
  readonly pendingIds: () => readonly string[];
  readonly signal: AbortSignal;
  /** For a recording of the tab. */
  readonly shower: ActShower;
  /** How the page rests after a step that changes more. */
  rests: Quiet | null;
  /** The page's report of that rest, once a step has asked for it. */
  resting: Resting | null;
  /** Text typed into fields that have not been left yet; of steps, into the last ones. */
  typed: Typed[];
  /** Leaves those fields: what they have opened may cover a target. */
  leaveTyped: (() => Promise<void>) | null;
  /** Outcomes of fields that were left, for the lines of their units. */
  readonly left: Settled[];
  /** By index, fields that the step of an earlier one fills in turn; null for those that it does not come to. */
  readonly filled: Map<number, Promise<Filled | null>>;
  /** For the current field or step: see {@link beginUse}. */
  use: SecretUse;
  /** A note where the page has diverted typed text to another element. */
  wentTo: string | null;
  /** The current field or step has put text into an element whose value is hidden. */
  hides: boolean;
  /** The current field or step may change more than its own control. */
  hasEffect: boolean;
  /** The page's role and name for the last step's target. */
  named: string | undefined;
}

/** @throws SpillwayError as {@link withoutDebugger} if only scripts can send input */
export function inputOf({ input }: Acting, step: string): NonNullable<Acting['input']> {
  if (input !== null) return input;
  throw withoutDebugger(step);
}

/** Several notes on one step as one, or null. */
export const joined = (...notes: readonly (string | null)[]): string | null =>
  notes.filter((note) => note !== null).join('; ') || null;

/** Call before a field or step: its text may be a secret. */
export function beginUse(acting: Acting, use: SecretUse): void {
  acting.use = use;
  acting.wentTo = null;
  acting.gate.foreign.confineTo((site) => use.bound.every(({ sites }) => isAtOne(sites, site)));
}

/**
 * Call before a secret is typed into an element, which the step masks from then on.
 * @throws SpillwayError `secret_refused` if it may not be typed there; `approval_required` for a secret without a site
 * in a field other than a password field, or if the field is not the one that they were shown
 * @param element as a card names it
 */
export async function admitSecret(acting: Acting, element: string, held: Held): Promise<void> {
  const { page, facts } = held;
  const { isSecret, bound } = acting.use;
  if (!isSecret) return;
  const place = await placeOfFrame(acting.tabId, page.frameId);
  const site = place === null ? null : (siteOf(place.origin ?? '') ?? siteOf(place.url));
  const where = `${facts.line} is at ${site?.origin ?? 'no site'}`;
  const refused = bound.find(({ sites }) => !isAtOne(sites, site));
  if (refused !== undefined)
    throw new SpillwayError(
      'secret_refused',
      `${where}; ${refused.name} is for ${refused.sites.join(', ')} alone.`,
    );
  const isOpen = bound.length === 0 && !facts.isPassword;
  if (isOpen && (place === null || !(await acting.mayReveal(place))))
    throw new SpillwayError(
      'secret_refused',
      `${where} and takes no password: a secret that names no site needs a person's yes there, and nobody is asked.`,
    );
  if (isOpen) await acting.frames.expectSeen(element, held);
}

/** Runs between keys that are sent one by one. */
export type BetweenKeys = () => Promise<void>;

/**
 * Sends input that may reach any field of a tab: keys go to the focused element, and the focus may move between two
 * keys. Unless password fields are allowed, each document keeps the keys out of its own.
 * @param work calls `renew` between keys, so that newly loaded documents are guarded too
 * @param field that the text is for, if a step names one
 * @throws SpillwayError `password_refused` naming the field, `page_unresponsive` for a document that cannot be guarded,
 * and the error of `work`
 */
export async function sparing<T>(
  acting: Acting,
  work: (renew?: BetweenKeys) => Promise<T>,
  field: Held | null = null,
): Promise<T> {
  const { frames, use, mayTypePasswords, signal } = acting;
  const spares = !use.isSecret && !mayTypePasswords;
  const guarded = new Map<string, ActPage>();
  const renew = async (): Promise<void> => {
    const added = (await frames.now(signal)).filter(({ documentId }) => !guarded.has(documentId));
    for (const page of added) guarded.set(page.documentId, page);
    const heldIn = ({ documentId }: ActPage): number | null =>
      field?.page.documentId === documentId ? field.facts.held : null;
    await Promise.all(added.map((page) => guard(page, { isOn: true, spares, held: heldIn(page) }, signal)));
  };
  const lift = async (): Promise<readonly Guarded[]> => {
    const how = { isOn: false, spares, held: null };
    const asked = [...guarded.values()].map(async (page) => {
      const seen = await guard(page, how, signal);
      return seen && { ...seen, isElsewhere: field !== null && page.documentId !== field.page.documentId };
    });
    const answers = (await Promise.all(asked)).filter((answer) => answer !== null);
    const refused = answers.map((answer) => answer.refused).find((line) => line !== null);
    if (refused !== undefined) throw new SpillwayError('password_refused', passwordRefused(refused));
    return answers;
  };
  let done: T;
  try {
    await renew();
    done = await work(renew);
  } catch (thrown) {
    if (!signal.aborted) await lift();
    throw thrown;
  }
  expectArrived(acting, await lift());
  return done;
}

interface Guarded extends Readonly<PageAnswers['guard']> {
  /** It is not the document of the field that the text is for. */
  readonly isElsewhere: boolean;
}

/** @throws SpillwayError `not_delivered` for characters that arrived in no field, or in another document's */
function expectArrived(acting: Acting, seen: readonly Guarded[]): void {
  acting.hides ||= seen.some(({ hides }) => hides);
  const lost = seen.reduce((sum, each) => sum + each.lost - each.late, 0);
  const went = seen.map(({ to }) => to).find((to) => to !== null);
  if (went !== undefined) acting.wentTo = `the page moved the focus meanwhile, and text went to ${went}`;
  const other = seen.find(({ isElsewhere, came }) => isElsewhere && came !== null)?.came ?? null;
  if (lost <= 0 && other === null) return;
  const where = other === null ? 'arrived in no field' : `went to ${other} in another frame`;
  throw new SpillwayError(
    'not_delivered',
    `Typed characters ${where}: the page moved the focus away from where they were meant for.`,
    { retryable: false, hint: 'Read the page to see which text arrived, and where.' },
  );
}

/** A replaced document no longer has fields. One that only fails to answer may have some. */
async function guard(
  page: ActPage,
  how: Omit<AskOf<'guard'>, 'do'>,
  signal: AbortSignal,
): Promise<PageAnswers['guard'] | null> {
  try {
    return await page.ask({ do: 'guard', ...how }, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (how.isOn && how.spares && !page.isGone) throw thrown;
    return null;
  }
}

/** Keys that put a character into a field; Control and Meta make commands of them. */
const TYPES_KEYS = /(?:^|\s)(?:(?:Shift|Alt)\+)*(?:\S|Space(?:bar)?|Plus)(?=\s|$)/i;

/** Keys that edit, move and send, but put nothing into a field; Insert pastes with Shift. */
const EDITING_KEY = /(?:^|\+)(?!(?:Space|Spacebar|Insert|Plus)$)[A-Za-z]\w+$/i;

/** Whether a step presses only keys that put nothing into a field, whatever has the focus. */
export const isEditing = (step: Step): boolean =>
  step.do === 'press' &&
  valueText(step)
    .trim()
    .split(/\s+/)
    .every((chord) => EDITING_KEY.test(chord));

/** Whether a step puts characters into a field. Clearing one takes no password. */
export function typesText(step: Step): boolean {
  const { do: kind } = step;
  if (kind === 'press') return TYPES_KEYS.test(valueText(step));
  return kind === 'fill' || kind === 'type' || kind === 'select';
}

/** Steps that mean the control of a label, if their target is one. */
const FOLLOWING = /^(?:fill|type|press|select|check|uncheck|focus|clear)$/;

export const followsLabel = ({ do: kind }: Step): boolean => FOLLOWING.test(kind);
