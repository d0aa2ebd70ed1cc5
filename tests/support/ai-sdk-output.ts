import type { ModelMessage } from 'ai';

/** The output of a tool in the last messages that a model was sent. */
export function outputIn(messages: readonly ModelMessage[], id = 'call-1'): unknown {
  for (const message of messages)
    if (message.role === 'tool')
      for (const part of message.content)
        if (part.type === 'tool-result' && part.toolCallId === id) return part.output;
  return undefined;
}
