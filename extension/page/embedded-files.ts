import type { Coverage } from '../../shared/bridge/page.ts';
import { cut } from '../../shared/cut.ts';
import { fileNameOf } from '../../shared/file-name.ts';

/*
 * Files that a browser shows where a page would be: a PDF in a frame, a picture or a recording that a tab was
 * opened for. The browser makes a document around each; a note says what it is and how to get it.
 */

const NAME_UNITS = 100;

/** @returns the address of the PDF that an `<embed>` shows, by what its attributes say; null for other files */
export function embeddedPdf(el: Element): string | null {
  const src = el.getAttribute('src') ?? '';
  if (!URL.canParse(src, el.baseURI)) return null;
  const { href, pathname } = new URL(src, el.baseURI);
  const type = el.getAttribute('type')?.trim().toLowerCase() ?? '';
  return type === 'application/pdf' || (type === '' && /\.pdf$/i.test(pathname)) ? href : null;
}

/** What a document is that the browser made around a file; null for a page, and for text, which is all there. */
export function fileNote(document: Document): Coverage | null {
  const type = document.contentType;
  const kind = kindOf(type);
  if (kind === null) return null;
  const name = fileNameOf(null, document.URL);
  const facts = [
    ...(name === null ? [] : [JSON.stringify(cut(name, NAME_UNITS))]),
    type,
    ...dimensionsOf(document),
    ...sizeOf(),
  ];
  const wanted = kind === 'source' ? 'its source' : 'its bytes';
  return {
    kind: 'file',
    detail: `The tab shows a file, not a page: ${facts.join(', ')}. Call fetch with its url for ${wanted}.`,
  };
}

/** A drawing and a tree of XML are shown as browsers draw them, without what their source says. */
function kindOf(type: string): 'bytes' | 'source' | null {
  if (type === 'application/xhtml+xml') return null;
  if (/[/+]xml$/.test(type)) return 'source';
  return /^(?:image|video|audio)\//.test(type) ? 'bytes' : null;
}

function dimensionsOf(document: Document): string[] {
  const pixels = (width: number, height: number): string[] =>
    width > 0 && height > 0 ? [`${Math.round(width)} × ${Math.round(height)} pixels`] : [];
  const picture = document.querySelector('img');
  if (picture !== null) return pixels(picture.naturalWidth, picture.naturalHeight);
  const film = document.querySelector('video');
  if (film === null) return [];
  const { duration, videoWidth, videoHeight } = film;
  return [
    ...pixels(videoWidth, videoHeight),
    ...(Number.isFinite(duration) && duration > 0 ? [`${Math.round(duration * 10) / 10} s`] : []),
  ];
}

/** In bytes, where the browser tells. */
function sizeOf(): string[] {
  const [navigation] = performance.getEntriesByType('navigation');
  const size: unknown = navigation === undefined ? 0 : Reflect.get(navigation, 'decodedBodySize');
  return typeof size === 'number' && size > 0 ? [`${size} bytes`] : [];
}
