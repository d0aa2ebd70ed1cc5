/** The fragment of a load that only measures when others have passed. It is none of the page's. */
export const WAYPOINT = '#spillway-waypoint';
