import { SpillwayError } from '../../shared/errors.ts';
import { HANDLE_PATTERN } from '../../shared/output/descriptor.ts';
import { RUN_ID_PATTERN } from '../../shared/tools/fields.ts';
import { vouch, type CleanText } from './mark.ts';

/** What Spillway's own identifiers look like. No secret of a known shape fits one. */
const FORMS = {
  run: RUN_ID_PATTERN,
  handle: HANDLE_PATTERN,
  /** 132 bits of a SHA-256 in base64url. */
  digest: /^[\w-]{22}$/,
} as const;

/**
 * An identifier as a clean text. It is checked, so that no other text passes for one.
 *
 * @throws SpillwayError `internal_error` for a text of another form; it does not quote the text
 */
export function identifier(form: keyof typeof FORMS, text: string): CleanText {
  if (!FORMS[form].test(text))
    throw new SpillwayError('internal_error', `A text is not an identifier of the form "${form}".`);
  return vouch(text);
}
