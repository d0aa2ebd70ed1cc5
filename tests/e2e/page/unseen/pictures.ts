/** Pictures of one colour: white, dark blue, and one without any paint. */
export const WHITE_PICTURE =
  'data:image/gif;base64,R0lGODlhAQABAIAAAP///////yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
export const DARK_PICTURE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40' fill='%23013'/%3E%3C/svg%3E";
export const CLEAR_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Covers its positioned parent. */
export const OVER = 'position:absolute;left:0;top:0;width:100%;height:100%';
