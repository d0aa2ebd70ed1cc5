import { RELATED_TASK_META_KEY, type RequestMeta } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../../../shared/json.ts';

/** The task that a request of an upstream belongs to, as it says. */
export const taskOf = (meta: RequestMeta | undefined): string | undefined =>
  meta?.[RELATED_TASK_META_KEY]?.taskId;

/** What an upstream says of its own task is not about ours. */
export const withoutTask = (meta: unknown): unknown =>
  isObject(meta)
    ? Object.fromEntries(Object.entries(meta).filter(([key]) => key !== RELATED_TASK_META_KEY))
    : meta;
