/** A longer or larger recording keeps its beginning. */
export const VIDEO_MS = 600_000;
export const VIDEO_BYTES = 32 * 1024 * 1024;
