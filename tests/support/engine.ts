/** Whether this run is for Firefox. */
export const IN_FIREFOX = process.env.SPILLWAY_ENGINE === 'firefox';
