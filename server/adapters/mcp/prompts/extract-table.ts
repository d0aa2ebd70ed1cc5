import { z } from 'zod';
import { urlField, words } from './fields.ts';
import { call, openTab, writeText, type Prompt } from './prompt.ts';

const FORMATS = ['json', 'csv', 'markdown'] as const;

const args = z.strictObject({
  url: urlField,
  what: words('The records to extract and their fields: "all plans with price and storage"'),
  format: z
    .enum(FORMATS)
    .default('json')
    .describe(`Output format: ${FORMATS.join(', ')}`),
});

/** Records of a page, checked against it. */
export const extractTable: Prompt<typeof args> = {
  name: 'extract_table',
  title: 'Extract this table',
  description: 'Extracts a table or list of a page as records, across several pages if there are more.',
  args,
  words: 'what',
  write({ what, url, format }, tools) {
    const { tab, open } = openTab(url, false);
    const extract = { schema: { type: 'object', properties: {}, required: [] }, multiple: true, tab };
    return writeText({
      tools,
      task: `Extract from ${url ?? "the page in the user's active tab"}: ${what}`,
      steps: [
        ...open,
        `${call('read_page', { tab, output_mode: 'auto' })}: find the records, their column names, the count that the page states, and whether more pages follow.`,
        `Write a JSON Schema of one record: one property per field, named as on the page, with its type (a price is a number, a date a string with \`"format":"date"\`); list in \`required\` the fields that every record must have.`,
        `${call('extract_data', { ...extract, output_mode: 'auto' })} with that schema. When more pages follow, add \`"paginate":{"next":"CSS of the next link","max_pages":10}\`, or \`{"scroll":true}\` where scrolling loads them.`,
        `An answer with \`run_id\` means that the work continues in the background: ${call('run_output', { run_id: 'run_…', offset: 0 })} reads the items so far; continue with \`next_offset\` until \`eof\` is true.`,
        `On \`nothing_matched\`, or when fields are missing: pass \`scope\`, the CSS selector of the table or of one record, or \`selectors\`, one CSS selector per field. \`"explain":true\` shows the source of each value.`,
        'Check: the record count matches the page, the first and last records match the page, and no required field is empty. Never invent a value that is not on the page.',
      ],
      report: [
        format === 'json'
          ? 'The records as a JSON array.'
          : format === 'csv'
            ? 'The records as CSV with a header line, fields quoted as in RFC 4180.'
            : 'The records as a Markdown table.',
        'If they are stored under a handle and there are more than 50: the handle, its `expires_at`, the number of records and the first three, instead of all of them.',
        'The record count, the count that the page states, and which fields are missing in which records.',
      ],
    });
  },
};
