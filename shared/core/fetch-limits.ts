const MIB = 1024 * 1024;

/** Bounds of one fetched file. */
export const FETCH_BOUNDS = {
  /** `max_bytes` when the caller gives none. */
  bytes: 256 * MIB,
  bytesMax: 1024 * MIB,
  /** Maximum bytes of an inline answer as base64, and as a picture. */
  inlineBytes: 32 * 1024,
  inlinePictureBytes: MIB,
  timeoutMs: 120_000,
  timeoutMaxMs: 900_000,
} as const;
