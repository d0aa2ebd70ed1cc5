/** What a page, or a part of it, looks like, to tell whether more came. @param text the text that counts */
export function fingerprint(
  part: Document | Element,
  text = ('body' in part ? part.body : part).textContent ?? '',
): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${part.getElementsByTagName('*').length}:${text.length}:${hash}`;
}
