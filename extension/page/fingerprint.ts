/** What a page looks like, to tell whether more came. @param text the text that counts */
export function fingerprint(document: Document, text = document.body?.textContent ?? ''): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${document.getElementsByTagName('*').length}:${text.length}:${hash}`;
}
