/** Width and height of a private browser's window in pixels: sites show their desktop layout. */
export const DEFAULT_WINDOW_SIZE = '1280x900';
