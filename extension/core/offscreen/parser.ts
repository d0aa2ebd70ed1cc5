import '../ports/zod-setup.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { readMessage } from '../ports/read-message.ts';
import { readParsed } from '../../crawl/offscreen/page-contents.ts';
import { PARSER_PORT, ToParser, type FromParser, type Step } from './parser-protocol.ts';
import type { Parts, TextPart } from './protocol.ts';

/*
 * Runs in a sandboxed frame of the offscreen document, in a process of its own: without the extension's API, and ended
 * with its frame whatever it is doing.
 */

const pages = new Map<number, Parts>();

/** Answers the steps of one port. */
function serve(port: MessagePort): void {
  const post = (message: FromParser): void => port.postMessage(message);
  port.onmessage = ({ data }) => {
    const received = readMessage(PARSER_PORT, ToParser, data);
    if (received === null) return;
    const { id, message } = received;
    if (message === null) return post({ type: 'failed', id, message: 'The request is malformed.' });
    if (message.type === 'close') return void pages.delete(message.id);
    answer(message).then(post, (thrown: unknown) => {
      pages.delete(id);
      post({ type: 'failed', id, message: messageOf(thrown) });
    });
  };
}

async function answer(message: Step): Promise<FromParser> {
  const { id } = message;
  if (message.type === 'open') {
    const { facts, parts } = readParsed(message.source);
    pages.set(id, parts);
    return { type: 'opened', facts, ...(await readPart(id, parts)) };
  }
  const parts = pages.get(id);
  return parts === undefined ? { type: 'unknown', id } : { type: 'part', ...(await readPart(id, parts)) };
}

async function readPart(id: number, parts: Parts): Promise<TextPart & { readonly id: number }> {
  const { text, isLast } = await parts.next();
  if (isLast) pages.delete(id);
  return { id, text, isLast };
}

addEventListener(
  'message',
  ({ source, ports: [port] }) => {
    if (source === parent && port !== undefined) serve(port);
  },
  { once: true },
);
