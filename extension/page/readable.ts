import { PageError } from './page-error.ts';

/** @throws PageError `page_is_pdf` for documents that hold no page of their own. */
export function assertReadable(): void {
  if (document.contentType === 'application/pdf')
    throw new PageError('page_is_pdf', `${document.URL} is a PDF in the browser's viewer.`);
}
