import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

/**
 * Formats a text as `npm run format:write` would format the file `path` of the checkout `root`.
 * @throws where the text cannot be parsed
 */
export async function formatAs(root: string, path: string, text: string): Promise<string> {
  const style = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(path, text, style);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
