import { readBody, type Body } from './body.ts';

/** Decompresses a body that is itself gzip (`sitemap.xml.gz`); others are returned unchanged. */
export async function unzip(body: Body, maxBytes: number, deadline: AbortSignal): Promise<Body> {
  const { bytes, cut } = body;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return body;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const whole = await readBody(new Response(unpacked), maxBytes, deadline);
  // A truncated archive counts as cut, not as damaged.
  return { bytes: whole.bytes, cut: whole.cut === 'too_large' ? whole.cut : (cut ?? whole.cut) };
}
