/** How far to scroll: `down`, `down 300`, `by 0,300`, `to top`; nothing means into view. */
export const SCROLL = /^(?:(up|down|left|right)(?:\s+(\d+))?|by\s+(-?\d+)\s*,\s*(-?\d+)|to\s+(top|bottom))$/;
