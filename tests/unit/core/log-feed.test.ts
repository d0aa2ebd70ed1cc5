import { expect, it } from 'vitest';
import { createLogFeed, type LogLine } from '../../../server/core/services.ts';
import type { LogSink } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/redact/index.ts';

const TOKEN = `ghp_${'aB3dE5gH7jK9mN1pQ4sT'}${'6vX8zB2dF4hJ6kL8'}`;

function feed(enabled = true) {
  const written: unknown[] = [];
  const heard: LogLine[] = [];
  const write = (facts: object, message: string): void => void written.push({ facts, message });
  const sink: LogSink = { debug: write, info: write, warn: write, error: write };
  const { logger, onLine } = createLogFeed(sink, createRedactor({ enabled }));
  onLine((line) => heard.push(line));
  return { logger, written, heard };
}

class Coded extends Error {
  readonly code = 'ECODED';
  readonly detail = { url: `https://a.test/?access_token=${TOKEN}` };
}

it.each([
  ['the message', {}, `GET /?access_token=${TOKEN} failed`],
  ['a fact', { url: `https://a.test/?access_token=${TOKEN}` }, 'failed'],
  ['a nested fact', { request: { headers: [`Bearer ${TOKEN}`] } }, 'failed'],
  ['an error', { err: new Error(`access_token=${TOKEN}`) }, 'failed'],
  ['the cause of an error', { err: new Error('no', { cause: new Error(TOKEN) }) }, 'failed'],
  ['the fields of an error', { err: new Coded('no') }, 'failed'],
])('redacts a secret in %s', (_where, facts, message) => {
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const { logger, written, heard } = feed();
    logger[level](facts, message);
    expect(written).toHaveLength(1);
    expect(heard).toHaveLength(1);
    expect(JSON.stringify([written, heard])).not.toContain(TOKEN);
  }
});

it('bounds a line, and survives facts that throw or hold themselves', () => {
  const { logger, heard } = feed();
  const loop: Record<string, unknown> = { long: 'x'.repeat(1_000_000) };
  loop['self'] = loop;
  logger.error({ loop, list: Array.from({ length: 10_000 }, () => 'item') }, 'large');
  logger.error(
    {
      get broken() {
        throw new Error('no');
      },
    },
    'broken',
  );
  expect(JSON.stringify(heard[0]).length).toBeLessThan(20_000);
  expect(heard.map(({ message }) => message)).toEqual(['large', 'broken']);
});
