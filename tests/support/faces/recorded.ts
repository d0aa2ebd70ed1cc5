import { readFileSync } from 'node:fs';
import type { FaceAnswer } from '../../../extension/panel/tools/face.ts';
import type { JsonObject } from '../../../shared/json.ts';

/** A call that a tool answered in a real browser, as `record.ts` wrote it down. */
export interface RecordedCall {
  readonly title: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly durationMs: number;
  readonly answer: FaceAnswer;
}

/** All of them, in the order in which they were made. */
export const readRecorded = (): readonly RecordedCall[] =>
  JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as RecordedCall[];
