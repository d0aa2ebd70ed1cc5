import { z } from 'zod';
import { path, setting } from '../core/flag.ts';

export const settings = {
  /** Signs evidence bundles. */
  evidenceKey: setting({
    flag: '--evidence-key <file>',
    help: 'sign evidence bundles with the private key in this PEM file (0600)',
    schema: () => path('a file'),
  }),
  /** The time-stamp authority for evidence bundles. It may contain a password. */
  evidenceTimestampUrl: setting({
    flag: '--evidence-timestamp-url <url>',
    variable: 'SPILLWAY_EVIDENCE_TIMESTAMP_URL',
    help: 'have evidence bundles time-stamped by the RFC 3161 authority at this address',
    schema: () => z.url({ protocol: /^https?$/, error: 'It takes an http or https address' }),
  }),
};
