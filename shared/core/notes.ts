/**
 * Notes of crawls, extractions, programs, recipes and fetched files, with values in braces: servers write them, and the panel words
 * them in a person's language. Of two that fit, the first counts.
 */
export const NOTES = {
  found: 'find: pages that contain {text}: {found} of {pages}.',
  max_pages: 'Stopped at max_pages {most}; discovered addresses that were not read: {left}.',
  max_depth: 'Links beyond max_depth {most} were not followed.',
  outside: 'Links outside the scope "{scope}" or its globs, which were not followed: {count}.',
  robots: 'Pages that robots.txt forbids: {count}.',
  robots_all:
    'robots.txt forbids every page ({count}): nothing was read. Pass respect_robots: false to read them anyway.',
  nofollow: 'Links with nofollow, which were not followed: {count}.',
  traps: 'Addresses that look like a crawler trap and were not read: {count} ({kinds}), such as {example}.',
  space:
    'Endless space {space}: stopped after {pages} pages because the last of them had no new text; unread addresses: {unread}. To read on, start a crawl with url {next}, include ["{glob}"].',
  crashed:
    'Pages that crashed twice and were not read: {count}, such as {examples}. run_resume tries them again.',
  failed: 'Pages that failed, see their items: {codes}.',
  asked: 'approval_required: a person is asked about a site when a crawl begins there; pass it in urls.',
  unread: 'Not read: {failure}',
  more_unread: '{count} more pages were not read.',
  unsure: 'Low confidence in {fields}: check the values, or find selectors with html_skeleton.',
  hidden: '{count} hidden records were omitted.',
  invalid_in: '{field}: invalid in {some} of {all} records, first in record {record}: {reason}.',
  invalid: '{field}: invalid: {reason}.',
  required_in: '{field}: required and not found in {some} of {all} records.',
  required: '{field}: required and not found.',
  missing_in: '{field}: not found in {some} of {all} records.',
  missing: '{field}: not found.',
  pattern: 'Pattern {pattern} was not checked: it looks around, or refers to a group.',
  returned: 'The program returned {value}',
  allowed_failure: 'Step {id} ({tool}) failed, which the recipe allows: {code}.',
  file: 'File: {facts}.',
  cut_file: 'Truncated at max_bytes {most}: the file is larger. Raise max_bytes for the rest.',
  cut_file_of: 'Truncated at max_bytes {most}: the file has {size} bytes. Raise max_bytes for the rest.',
  error_page: "HTTP {status}: this is the server's error page, not the file.",
  sign_in:
    "HTTP {status}: this is the server's error page, not the file. Open the site with navigate and have the person sign in, then fetch again.",
  retry_after: "HTTP {status}: this is the server's error page, not the file. Retry after {time}.",
  redirected: 'Redirected: {hops} to {url}.',
  html_source: 'This is the HTML source: read_page and crawl write it as Markdown.',
  raw_bytes: 'Its bytes are not redacted.',
  pdf: 'PDF: text of all pages ({count}).',
  pdf_pages: 'PDF: text of pages {read} of {count}.',
  pdf_late: 'The time limit was reached before page {page}: pass pages: "{page}-" to continue from there.',
  pdf_drawn: 'No page has text: the PDF is scanned or drawn. Show it in a tab and take a screenshot.',
  pdf_empty: 'No text on pages {pages}: scanned, drawn or empty.',
  pdf_unmapped: 'Glyphs that the PDF maps to no character, shown as {glyph}: {count}, on pages {pages}.',
  pdf_damaged: 'Pages {pages} are damaged and could not be read.',
} as const;

export type Note = keyof typeof NOTES;

export type NoteValues = Readonly<Record<string, string | number>>;

const PLACE = /\{(\w+)\}/g;

const fill = (template: string, values: NoteValues): string =>
  template.replace(PLACE, (_, name: string) => String(values[name]));

export const formatNote = (note: Note, values: NoteValues = {}): string => fill(NOTES[note], values);

const FORMS = Object.entries(NOTES).map(([note, template]) => {
  const literal = template.replace(/[.()[\]?]/g, String.raw`\$&`);
  const seen = new Set<string>();
  const pattern = literal.replace(PLACE, (_, name: string) => {
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>.*)`;
  });
  return { note, template, form: new RegExp(`^${pattern}$`, 's') };
});

/** A note in another language, whose templates `templateOf` returns; any other text unchanged. */
export function wordNote(text: string, templateOf: (note: string, english: string) => string): string {
  for (const { note, template, form } of FORMS) {
    const match = form.exec(text);
    if (match !== null) return fill(templateOf(note, template), match.groups ?? {});
  }
  return text;
}
