import { isObject } from '../../../shared/json.ts';
import type { SelectionMessage } from '../../core/registry/selector.ts';

const MESSAGES_MAX = 4;
const MESSAGE_LENGTH = 1_000;

/** The text of a message of the Messages API or the AI SDK; calls, results and pictures have none. */
function textOf({ content }: SelectionMessage): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

/** What was said last, the newest last. */
export const lastTexts = (messages: readonly SelectionMessage[] = []): readonly string[] =>
  messages
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .slice(-MESSAGES_MAX)
    .map((text) => text.slice(0, MESSAGE_LENGTH));

/** What a person said last. */
export const lastQuestion = (messages: readonly SelectionMessage[]): string =>
  messages
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .findLast((text) => text.trim() !== '') ?? '';
