import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { CountOrder, type CountAnswer } from './protocol.ts';
import { partsOf } from './split.ts';

/*
 * Counts tokens in a thread of its own: the vocabulary takes tens of megabytes and a fifth of a second to load, and
 * both go with the thread.
 */
const port = parentPort;
if (port === null) throw new Error('This is the thread that counts tokens: it is not run by itself.');

/** Text of pages is not a protocol: special tokens in it count as plain text. */
const PLAIN = { disallowedSpecial: new Set<string>() };

function tokensOf(text: string): number {
  let sum = 0;
  for (const part of partsOf(text)) sum += countTokens(part, PLAIN);
  return sum;
}

port.on('message', (message: unknown) => {
  const { id, texts } = CountOrder.parse(message);
  const answer: CountAnswer = { id, tokens: texts.map(tokensOf) };
  port.postMessage(answer);
});
