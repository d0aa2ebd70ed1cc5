import { expect, it } from 'vitest';
import { createLogFeed, type LogLine } from '../../../server/core/services.ts';
import type { LogSink } from '../../../server/core/services.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';

function feed(enabled = true) {
  const written: unknown[] = [];
  const heard: LogLine[] = [];
  const write = (facts: object, message: string): void => void written.push({ facts, message });
  const sink: LogSink = { debug: write, info: write, warn: write, error: write };
  const { logger, onLine } = createLogFeed(sink, createRedactor({ enabled }));
  onLine((line) => heard.push(line));
  return { logger, written, heard };
}

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
