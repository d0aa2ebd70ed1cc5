export const NOBODY_MS = 2 * 60_000;
/** Take-overs of one agent that are open, and of all. */
export const MOST_OF_AGENT = 3;
export const MOST_OF_ALL = 10;
/** How often the agents of one name may ask for nothing within {@link FLOOD_MS}: each opens the window. */
export const MOST_BEGUN = 10;
export const FLOOD_MS = 10 * 60_000;
export const KEPT_MS = 10 * 60_000;
/** Times in which a person had a tab: what the browser has kept of them is left out. The oldest are forgotten. */
export const MOST_SPANS = 500;
