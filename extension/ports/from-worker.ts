import { isObject } from '../../shared/json.ts';

/** Worker and pages are of one build, and no one else can open their ports: a message is what its port says it is. */
export const isFromWorker = <Message extends object>(message: unknown): message is Message =>
  isObject(message);
