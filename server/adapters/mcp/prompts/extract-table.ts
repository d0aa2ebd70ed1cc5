import { z } from 'zod';
import { urlField, words } from './fields.ts';
import { call, openTab, writeText, type Prompt } from './prompt.ts';

const FORMATS = ['json', 'csv', 'markdown'] as const;

const args = z.strictObject({
  url: urlField,
  what: words('The records wanted, and their fields: "all plans with price and storage"'),
  format: z
    .enum(FORMATS)
    .default('json')
    .describe(`How to hand them over: ${FORMATS.join(', ')}`),
});

/** Records of a page, checked against it. */
export const extractTable: Prompt<typeof args> = {
  name: 'extract_table',
  title: 'Extract this table',
  description: 'Extracts a table or list of a page as records, over several pages if it has them.',
  args,
  words: 'what',
  write({ what, url, format }, tools) {
    const { tab, open } = openTab(url, false);
    const extract = { schema: { type: 'object', properties: {}, required: [] }, multiple: true, tab };
    return writeText({
      tools,
      task: `Extract from ${url ?? 'the page that the user has in front'}: ${what}`,
      steps: [
        ...open,
        `${call('read_page', { tab, output_mode: 'auto' })}: find the records, the names of their columns, how many the page says there are, and whether more pages follow.`,
        `Write a JSON Schema of one record: a property a field, named as the page names it, with its type (a price is a number, a date a string with \`"format":"date"\`); put into \`required\` what no record may lack.`,
        `${call('extract_data', { ...extract, output_mode: 'auto' })} with that schema. When more pages follow, add \`"paginate":{"next":"CSS of the next link","max_pages":10}\`, or \`{"scroll":true}\` where scrolling loads them.`,
        `An answer with \`run_id\` goes on in the background: ${call('run_output', { run_id: 'run_…', offset: 0 })} reads what it has so far; go on with \`next_offset\` until \`eof\` is true.`,
        `On \`nothing_matched\`, or when fields are missing: pass \`scope\`, the CSS selector of the table or of one record, or \`selectors\`, a CSS selector a field. \`"explain":true\` says where each value came from.`,
        'Check: as many records as the page says, the first and the last as they stand on the page, no required field empty. Never fill in a value that the page does not have.',
      ],
      report: [
        format === 'json'
          ? 'The records as a JSON array.'
          : format === 'csv'
            ? 'The records as CSV with a header line, fields quoted after RFC 4180.'
            : 'The records as a Markdown table.',
        'Where they were stored as a handle and are more than 50: the handle, its `expires_at`, the number of records and the first three, instead of all of them.',
        'How many there are, how many the page says, and which fields are missing where.',
      ],
    });
  },
};
