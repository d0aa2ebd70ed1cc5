import { z } from 'zod';

/** `b1:42`: browser 1, its tab 42. */
const TAB_ID_PATTERN = /^b[1-9]\d{0,5}:\d{1,10}$/;
/** `b1`. */
const BROWSER_ID_PATTERN = /^b[1-9]\d{0,5}$/;

/** A tab that the caller names: an id, or the user's front tab on purpose. */
export const tabField = z
  .union([z.literal('active'), z.string().regex(TAB_ID_PATTERN, 'takes a tab id such as b1:42, or "active"')])
  .describe('Tab id such as b1:42, or "active" for the user\'s front tab');

/** Chooses among several browsers. */
export const browserField = z
  .string()
  .regex(BROWSER_ID_PATTERN, 'takes a browser id such as b1')
  .describe('Browser id such as b1, when several are connected');
