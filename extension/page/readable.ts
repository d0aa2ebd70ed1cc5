import { SpillwayError } from '../../shared/errors.ts';

/** @throws SpillwayError `page_is_pdf` for documents that hold no page of their own. */
export function assertReadable(): void {
  if (document.contentType === 'application/pdf')
    throw new SpillwayError('page_is_pdf', `${document.URL} is a PDF in the browser's viewer.`);
}
