export type CrawlNote =
  | 'found'
  | 'max_pages'
  | 'max_depth'
  | 'outside'
  | 'robots'
  | 'robots_all'
  | 'nofollow'
  | 'traps'
  | 'space'
  | 'failed'
  | 'asked';

/** The notes of a crawl, with values in braces: servers write them, and the panel words them in a person's language. */
export const CRAWL_NOTES: Readonly<Record<CrawlNote, string>> = {
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
    'Endless space {space}: stopped after {pages} pages because the latest brought nothing new; unread addresses: {unread}. To read on, start a crawl with url {next}, include ["{glob}"].',
  failed: 'Pages that failed, see their items: {codes}.',
  asked: 'approval_required: a person is asked about a site when a crawl begins there; pass it in urls.',
};

export type CrawlNoteValues = Readonly<Record<string, string | number>>;

const PLACE = /\{(\w+)\}/g;

export const fillNote = (template: string, values: CrawlNoteValues): string =>
  template.replace(PLACE, (_, name: string) => String(values[name]));

const FORMS = Object.entries(CRAWL_NOTES).map(([note, template]) => {
  const literal = template.replace(/[.()[\]?]/g, String.raw`\$&`);
  return { note, template, form: new RegExp(`^${literal.replace(PLACE, '(?<$1>.*)')}$`, 's') };
});

/** A note of a crawl in another language, whose templates `templateOf` returns; any other text unchanged. */
export function wordNote(text: string, templateOf: (note: string, english: string) => string): string {
  for (const { note, template, form } of FORMS) {
    const match = form.exec(text);
    if (match !== null) return fillNote(templateOf(note, template), match.groups ?? {});
  }
  return text;
}
