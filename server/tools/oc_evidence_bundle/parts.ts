import { MIME } from '../../../shared/mime.ts';
import type { EvidencePart } from '../../../shared/tools/oc_evidence_bundle/parts.ts';
import { facts, listing, messages, mhtml, picture, reading, requests, type Source } from './sources.ts';

/** A part as it lies in the archive. */
export interface PartKind {
  readonly part: EvidencePart;
  readonly name: string;
  readonly type: string;
  readonly source: Source;
}

/**
 * In the order of their capture. What changes fastest and disturbs nothing comes first: the picture
 * of the viewport, then the document in its forms within milliseconds of it, then what names and
 * measures it. Console and requests grow by themselves and say the time of each entry. The full page
 * comes last, because taking it makes the page lay itself out again and load what was out of sight.
 */
export const PART_KINDS: readonly PartKind[] = [
  { part: 'screenshot', name: 'screenshot.png', type: MIME.png, source: picture('viewport') },
  { part: 'html', name: 'page.html', type: MIME.html, source: reading('html') },
  { part: 'snapshot', name: 'page.snapshot.txt', type: MIME.snapshot, source: reading('snapshot') },
  { part: 'markdown', name: 'page.md', type: MIME.markdown, source: reading('markdown') },
  { part: 'facts', name: 'facts.json', type: MIME.json, source: facts },
  { part: 'performance', name: 'performance.json', type: MIME.json, source: listing('performance') },
  { part: 'storage', name: 'storage.json', type: MIME.json, source: listing('storage') },
  { part: 'cookies', name: 'cookies.json', type: MIME.json, source: listing('cookies') },
  { part: 'mhtml', name: 'page.mhtml', type: 'multipart/related', source: mhtml },
  { part: 'console', name: 'console.json', type: MIME.json, source: messages },
  { part: 'network', name: 'network.har', type: MIME.json, source: requests },
  { part: 'full_page', name: 'full-page.png', type: MIME.png, source: picture('full_page') },
];
