/** The fragment that marks a load of Spillway's own, which only shows when the loads before it have passed. */
export const WAYPOINT = '#spillway-waypoint';
