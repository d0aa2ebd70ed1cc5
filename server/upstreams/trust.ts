import { unwatchFile, watchFile } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../shared/base/json.ts';
import { jsonMap } from '../../shared/base/json-schema.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { withFileLock, readRegularSync, sha256, writeWhole } from '../core/machine/files.ts';
import { isMissing } from '../core/machine/errno.ts';
import type { Distrust, UpstreamTool } from '../core/upstreams.ts';

const TRUST_FILE = 'upstreams.json';
const POLL_MS = 400;
/** An abandoned lock is broken after this. */
const LOCK_WAIT_MS = 60_000;
/** Of one tool. */
const VERSIONS_MAX = 4;

const Pins = z.strictObject({
  version: z.literal(1),
  upstreams: jsonMap(
    z.strictObject({ target: z.string(), accepted_at: z.string(), tools: jsonMap(z.string()) }),
  ),
});
type Pins = z.infer<typeof Pins>;

/** The server's identity, and the hashes of each tool, with blanks between them. */
type AcceptedUpstream = Pins['upstreams'] extends ReadonlyMap<string, infer Accepted> ? Accepted : never;

/** An upstream and all its tools, as a person has reviewed them. */
export interface SeenUpstream {
  readonly id: string;
  readonly target: string;
  readonly tools: readonly UpstreamTool[];
}

/** Identifies an upstream and the current state of all its tools. */
export const revisionOf = ({ id, target, tools }: SeenUpstream): string =>
  sha256(canonicalJson([id, target, ...tools.map(hashTool)]));

/** Knows which tools a person has reviewed. */
export interface Trust {
  /** @param target what `fingerprintOf` says of its entry */
  judge(id: string, target: string, tool: UpstreamTool): Distrust;
  isAccepted(id: string, target: string): boolean;
  /** Records that a person has reviewed an upstream and all its tools. */
  accept(seen: SeenUpstream): Promise<void>;
  /** Calls back when a person has accepted something. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** For upstreams that the program itself supplies: its author has chosen them. */
export const trustAll: Trust = {
  judge: () => null,
  isAccepted: () => true,
  accept: () => Promise.resolve(),
  onChange: () => () => undefined,
};

/** Everything of a tool that a model or a client acts upon. */
function hashTool(tool: UpstreamTool): string {
  const { rawName, title, description, inputSchema, outputSchema, isReadOnly } = tool;
  return sha256(canonicalJson({ rawName, title, description, inputSchema, outputSchema, isReadOnly }));
}

const pathIn = (home: string): string => join(home, TRUST_FILE);
const NOTHING: Pins = { version: 1, upstreams: new Map() };

/** @throws SpillwayError `invalid_argument` for a file that is not ours */
function readPins(home: string): Pins {
  const path = pathIn(home);
  try {
    return Pins.parse(JSON.parse(readRegularSync(path)));
  } catch (thrown) {
    if (isMissing(thrown)) return NOTHING;
    throw new SpillwayError('invalid_argument', `${path} cannot be read: it is damaged.`, {
      hint: 'Remove the file, and accept each upstream again with `spillway upstream accept`.',
      cause: thrown,
    });
  }
}

const hashesOf = (tools: AcceptedUpstream['tools'], rawName: string): readonly string[] =>
  tools.get(rawName)?.split(' ') ?? [];

/** Earlier versions stay accepted: another server may still run one. */
function acceptedWith(
  before: AcceptedUpstream | undefined,
  { target, tools }: SeenUpstream,
): AcceptedUpstream {
  const kept = before?.target === target ? before.tools : new Map<string, string>();
  const hashes = tools.map((tool): [string, string] => {
    const all = new Set([hashTool(tool), ...hashesOf(kept, tool.rawName)]);
    return [tool.rawName, [...all].slice(0, VERSIONS_MAX).join(' ')];
  });
  return {
    target,
    accepted_at: new Date().toISOString(),
    tools: new Map([...kept, ...hashes]),
  };
}

const entriesOfMap = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

async function accept(home: string, seen: SeenUpstream): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = pathIn(home);
  // If two are accepted at once, neither is lost.
  await withFileLock(`${path}.lock`, AbortSignal.timeout(LOCK_WAIT_MS), async () => {
    const { upstreams } = readPins(home);
    const accepted = acceptedWith(upstreams.get(seen.id), seen);
    const next: Pins = { version: 1, upstreams: new Map([...upstreams, [seen.id, accepted]]) };
    await writeWhole(path, `${JSON.stringify(next, entriesOfMap, 2)}\n`, `${path}.${process.pid}.draft`);
  });
}

function compare(accepted: AcceptedUpstream | null, target: string, tool: UpstreamTool): Distrust {
  if (accepted === null) return 'not_accepted';
  if (accepted.target !== target) return 'changed';
  const hashes = hashesOf(accepted.tools, tool.rawName);
  if (hashes.length === 0) return 'not_accepted';
  return hashes.includes(hashTool(tool)) ? null : 'changed';
}

/**
 * Trusts the content of the home's file, and notices when another process has changed it. A damaged file
 * trusts nothing.
 */
export function trustOf(home: string): Trust {
  const path = pathIn(home);
  let pins: Pins | null = null;
  const changes = new Listeners<void>();
  const acceptedOf = (id: string): AcceptedUpstream | null => {
    try {
      pins ??= readPins(home);
    } catch {
      pins = NOTHING;
    }
    return pins.upstreams.get(id) ?? null;
  };
  return {
    judge: (id, target, tool) => compare(acceptedOf(id), target, tool),
    isAccepted: (id, target) => acceptedOf(id)?.target === target,
    accept: async (seen) => {
      await accept(home, seen);
      // Immediately here; other servers of the home notice the changed file.
      pins = null;
      changes.notify();
    },
    onChange: (listener) => {
      const changed = (): void => {
        pins = null;
        listener();
      };
      watchFile(path, { persistent: false, interval: POLL_MS }, changed);
      const forget = changes.add(listener);
      return () => {
        unwatchFile(path, changed);
        forget();
      };
    },
  };
}
