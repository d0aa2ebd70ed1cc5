import { RunStreaming } from '../../components/runs/run-streaming.tsx';
import type { FacesOf, Streaming } from '../face.ts';

export const faces: FacesOf<Streaming> = { extract_data: RunStreaming };
