const { SPILLWAY_ENGINE: engine } = process.env;

/** Whether this run is for a Firefox that a server has started, which gives it trusted input. */
export const IN_LAUNCHED_FIREFOX = engine === 'firefox-launched';
/** Whether this run is for Firefox. */
export const IN_FIREFOX = engine === 'firefox' || IN_LAUNCHED_FIREFOX;
