import type { Coverage } from './bridge/page.ts';
import { cutUrl } from './cut.ts';

const URL_UNITS = 300;

/** A PDF in a frame of a page: browsers hide its text from extensions. */
export const pdfNote = (url: string): Coverage => ({
  kind: 'embedded_pdf',
  detail: `A PDF is embedded in the page. Call fetch with its url for its text: ${cutUrl(url, URL_UNITS)}`,
});
