import { RunStreaming } from '../../components/runs/run-streaming.tsx';
import type { FacesOf, Streaming } from '../face.ts';

/** Both wait for a run to come further. */
export const faces: FacesOf<Streaming> = { run_resume: RunStreaming, run_output: RunStreaming };
