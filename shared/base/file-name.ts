const NAME_UNITS = 200;

/** The value of a percent-encoded text; null for one that is not UTF-8. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Browsers return each byte of a header as one character; UTF-8 is decoded, and what many servers escape as in a URL. */
function decodeBytes(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return decodePercent(text) ?? text;
  if (/[\u0100-\uffff]/.test(text)) return text;
  const escaped = text.replaceAll(/[%\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return decodePercent(escaped) ?? text;
}

/** The name in `Content-Disposition`, as browsers read it; null without one. */
function nameOfDisposition(disposition: string | null): string | null {
  const header = disposition ?? '';
  const extended = /;\s*filename\*\s*=\s*"?(?<charset>[\w-]+)'[^']*'(?<value>[^;"\s]+)/i.exec(header)?.groups;
  if (extended !== undefined) {
    const value = extended['value'] ?? '';
    const latin1 = (): string =>
      value.replaceAll(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(parseInt(byte, 16)));
    const name = /^utf-?8$/i.test(extended['charset'] ?? '') ? decodePercent(value) : latin1();
    if (name !== null) return name;
  }
  const quoted = /;\s*filename\s*=\s*"(?<value>(?:[^"\\]|\\.)*)"/i.exec(header)?.groups?.['value'];
  if (quoted !== undefined) return decodeBytes(quoted.replaceAll(/\\(.)/g, '$1'));
  const token = /;\s*filename\s*=\s*(?<value>[^\s;"][^;"]*)/i.exec(header)?.groups?.['value'];
  return token === undefined ? null : decodeBytes(token);
}

/**
 * The file name of a response: from `Content-Disposition`, or the last segment of the path, without folders and
 * control characters; null if both lack one.
 */
export function fileNameOf(disposition: string | null, url: string): string | null {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(?<path>[^?#]*)/i.exec(url)?.groups?.['path'] ?? '';
  const segment = path.split('/').at(-1) ?? '';
  const given = nameOfDisposition(disposition) ?? decodePercent(segment) ?? segment;
  const name = (given.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/\p{Cc}|\p{Cf}/gu, '')
    .trim()
    .slice(0, NAME_UNITS)
    .toWellFormed();
  return name === '' || name === '.' || name === '..' ? null : name;
}
