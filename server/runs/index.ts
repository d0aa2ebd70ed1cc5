export { createRuns, type RunsOptions } from './runs.ts';
