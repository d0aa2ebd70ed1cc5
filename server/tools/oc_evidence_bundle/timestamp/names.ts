/** The member after the manifest that holds the time-stamp token over it. */
export const TOKEN_NAME = 'timestamp.tst';
/** No token comes near it; a larger one is not read. */
export const TOKEN_MAX_BYTES = 64 * 1_024;
