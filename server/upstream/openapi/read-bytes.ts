/** The beginning of a body, and whether it is all of it. What is longer is left unread. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes) return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
