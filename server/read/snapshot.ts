import type { z } from 'zod';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { readPage } from '../../shared/read/read_page.manifest.ts';
import { percentLeft } from '../core/snapshot.ts';
import type { ReadPageOptions } from '../../shared/read/read_page.methods.ts';

type SnapshotArgs = z.output<typeof readPage.input>;

/** Fields that only a snapshot takes. */
const OWN = ['ref', 'interactive_only', 'diff', 'budget'] as const;
const KEPT = ['selector', 'interactive_only', 'include_links', 'include_hidden', 'budget'] as const;
/** The notes count too. */
const NOTES_TOKENS = 120;
const MIN_TEXT_TOKENS = 50;

const isGiven = (value: unknown): boolean => value !== undefined && value !== false;

/**
 * Refuses fields that have no meaning with other formats or each other.
 * @throws SpillwayError `invalid_argument`, naming the field
 */
export function checkSnapshotFields(args: SnapshotArgs): void {
  const refuse = (field: string, why: string): never => {
    throw invalidArgument(`${field}: ${why}`);
  };
  if (args.format !== 'snapshot') {
    const other = OWN.find((field) => isGiven(args[field]));
    if (other !== undefined) refuse(other, 'only format "snapshot" takes it.');
    return;
  }
  const { ref = '' } = args;
  const isRange = ref.includes('..');
  const parts = (['selector', 'main_content_only', 'ref', 'find', 'scroll'] as const).filter((field) =>
    isGiven(args[field]),
  );
  const [part] = parts;
  if (args.diff === true && part !== undefined) refuse('diff', `compares whole pages; omit ${part}.`);
  const clash = parts.find(
    (field) => field !== 'ref' && field !== 'find' && !(isRange && field === 'selector'),
  );
  if (ref !== '' && clash !== undefined) refuse('ref', `cannot be combined with ${clash}.`);
  if (args.budget !== undefined && args.scroll !== undefined)
    refuse('budget', 'cannot be combined with scroll.');
}

/** The fields in the extension's form. */
export function snapshotOptions(args: SnapshotArgs): Partial<ReadPageOptions> {
  const { ref, interactive_only, diff, budget } = args;
  return {
    ...(ref !== undefined && { ref }),
    ...(interactive_only === true && { interactive_only }),
    ...(diff === true && { diff }),
    ...(budget !== undefined && { budget: Math.max(MIN_TEXT_TOKENS, budget - NOTES_TOKENS) }),
  };
}

export function snapshotNotes(
  args: SnapshotArgs,
  { left = [], is_compared }: MethodResult<'page.read'>,
): string[] {
  const notes: string[] = [];
  if (args.diff === true && is_compared !== true)
    notes.push('diff: there is no earlier snapshot of this page to compare with; this is the page.');
  if (left.length > 0) notes.push(leftNote(args, left));
  return notes;
}

function leftNote(args: SnapshotArgs, left: NonNullable<MethodResult<'page.read'>['left']>): string {
  const share = Math.max(...left.map((part) => part.share));
  const kept = Object.fromEntries(
    KEPT.filter((field) => isGiven(args[field])).map((field) => [field, args[field]]),
  );
  const refs = left.flatMap(({ ref }) => ref ?? []);
  const calls = refs.map(
    (ref) => `read_page ${JSON.stringify({ format: 'snapshot', ref: rangeOf(ref, args), ...kept })}`,
  );
  const what = `budget: stopped at ${args.budget} tokens`;
  if (calls.length === 0) return `${what}; more is gone than is listed.`;
  return `${what}, about ${percentLeft({ share })} % of the page is left. Go on with ${calls.join(', then ')}.`;
}

function rangeOf(ref: string, { ref: asked }: SnapshotArgs): string {
  const end = asked === undefined ? '' : asked.split('..').at(-1);
  return asked !== undefined && !asked.endsWith('..') ? `${ref}${end}` : ref;
}
