/** Whether a long call waits for its run, or answers the run id at once. */
export type Execution = 'sync' | 'async';
