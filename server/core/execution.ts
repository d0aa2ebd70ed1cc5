/** Whether a long call waits for its run, or returns the run id immediately. */
export type Execution = 'sync' | 'async';
