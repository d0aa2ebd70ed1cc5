import type { CodePlace } from '../inspect/inspect.methods.ts';

/** Where a text or a stack names a place: `https://shop.example/app.js:1:23456`. */
const PLACE = /\b([a-z][a-z\d+.-]*:\/\/[^\s()<>"'«»]+?):(\d{1,9}):(\d{1,9})(?!\d)/gi;

const codePlace = (url: string, line: string, column: string): CodePlace => ({
  url,
  line: Math.max(1, Number(line)),
  column: Math.max(1, Number(column)),
});

/** The places that a text names. */
export const placesIn = (text: string): CodePlace[] =>
  [...text.matchAll(PLACE)].map(([, url = '', line = '', column = '']) => codePlace(url, line, column));

/** A text with other words for its places. @param move null keeps a place as it is */
export const movePlaces = (text: string, move: (place: CodePlace) => string | null): string =>
  text.replaceAll(
    PLACE,
    (all, url: string, line: string, column: string) => move(codePlace(url, line, column)) ?? all,
  );
