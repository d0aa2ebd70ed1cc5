import { PageError } from '../page-error.ts';

/** A part of a selector, and where it is in the whole. */
export interface SelectorPart {
  readonly engine: string;
  readonly body: string;
  /** Position of the body in {@link whole}. */
  readonly at: number;
  readonly whole: string;
}

/** Characters of a selector in messages. */
const MOST_SHOWN = 500;

/** What is wrong with a selector, and where: positions count from 0. */
export function invalid(
  { whole, at }: Pick<SelectorPart, 'whole' | 'at'>,
  why: string,
  offset = 0,
): PageError {
  const shown = whole.length > MOST_SHOWN ? `${whole.slice(0, MOST_SHOWN)}…` : whole;
  return new PageError(
    'selector_invalid',
    `target: ${JSON.stringify(shown)} is invalid at position ${at + offset}: ${why}.`,
  );
}
