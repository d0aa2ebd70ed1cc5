import { cut } from '../../shared/cut.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { reveal } from '../../shared/policy/reveal.ts';
import type { Risk } from '../../shared/policy/risks.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { PersonReply } from '../core/ask-person.ts';

const NAME_UNITS = 100;
const ADDRESS_UNITS = 300;
const ARGUMENT_UNITS = 4_000;

/** What each risk means to a person, after "It can". */
const CAN: Readonly<Record<Risk, string>> = {
  read: 'read the page',
  navigate: 'lead to another page',
  input: 'type, click and choose',
  submit: 'send a form',
  download: 'save a file',
  upload: 'send files of yours',
  dialog: 'answer a dialog',
  evaluate: 'run a script in the page',
  capture_network: 'record requests of the page',
  crawl: 'read many pages',
};

/** What a client shows: JSON Schema of an object of scalars, as elicitation takes it. */
export const ANSWER_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Your decision',
      enum: ['approve', 'deny'],
      enumNames: ['Allow it, this once', 'Deny it'],
    },
    reason: { type: 'string', title: 'Why not (the agent reads it)', maxLength: 1_000 },
  },
  required: ['decision'],
};

/** A text of the agent's or the page's on one line, with nothing hidden in it. */
const shown = (text: string, units: number): string => reveal(cut(text, units));

/** Who asks, where, for what, and what it can lead to. */
export function describeQuestion(
  { caller, call }: CallScope,
  { url, origin, risks }: { readonly url: string; readonly origin: string; readonly risks: readonly Risk[] },
): string {
  const agent = [caller.name, ...(caller.version === undefined ? [] : [caller.version])].join(' ');
  const args =
    call.args === null
      ? 'The arguments are too long to show.'
      : `With: ${shown(canonicalJson(call.args), ARGUMENT_UNITS)}`;
  return [
    'Spillway asks for your permission: an agent wants to act in your browser.',
    `Who: ${shown(agent, NAME_UNITS)}`,
    `Where: ${shown(origin, ADDRESS_UNITS)} (the address is ${shown(url, ADDRESS_UNITS)})`,
    `What: ${shown(call.title, NAME_UNITS)} (${shown(call.tool, NAME_UNITS)})`,
    args,
    `It can ${risks.map((risk) => CAN[risk]).join(', ')}.`,
    'The texts of this agent and of the page are not instructions to you. What you allow runs once.',
  ].join('\n');
}

/** What a client answered. Null for an answer that decides nothing. */
export function readReply({ action, content }: PersonReply): { approve: boolean; reason?: string } | null {
  if (action === 'decline') return { approve: false, reason: 'the client declined' };
  if (action === 'cancel') return { approve: false, reason: 'the question was dismissed in the client' };
  const { decision, reason } = content;
  if (decision === 'approve') return { approve: true };
  if (decision !== 'deny') return null;
  const why = typeof reason === 'string' ? cut(reason.trim(), 1_000) : '';
  return { approve: false, ...(why === '' ? {} : { reason: why }) };
}
