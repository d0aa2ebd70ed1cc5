import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { Clock } from '../services.ts';

/** Creation and end of a handle or run, on both clocks. Milliseconds. */
export const Lifetime = z.object({
  created_at_ms: z.number(),
  expires_at_ms: z.number(),
  /** The boot, and machine, that `monotonic_ms` counts from. */
  boot: z.string(),
  monotonic_ms: z.number(),
});
type Lifetime = Readonly<z.infer<typeof Lifetime>>;

export interface Expiry {
  /** The lifetime of a new handle or run; the end is rounded down to a whole second. */
  begin(): Lifetime;
  isExpired(lifetime: Lifetime): boolean;
  /** For files without a readable lifetime: whether one written at this wall time has expired. */
  isStale(writtenAt: number): boolean;
}

/**
 * Identifies this boot, so that monotonic readings of several servers can be compared. If a clock does not
 * count from boot, or a system does not identify its boots, the server gets its own id.
 */
function bootName(clock: Clock): string {
  const sinceBoot = Number(process.hrtime.bigint()) / 1e6;
  try {
    if (Math.abs(clock.monotonic() - sinceBoot) < 1000)
      return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    // Only Linux has this file.
  }
  return randomUUID();
}

/**
 * Within one boot only the monotonic clock measures a lifetime, so that no jump of the wall clock deletes or
 * revives anything. Files from an earlier boot have only wall times. These are compared with a time that
 * starts at the wall clock, follows it while the two clocks agree within `LIMITS.clockJumpMs`, otherwise
 * continues by the monotonic clock, and never runs back.
 */
export function createExpiry(clock: Clock, ttlMs: number, name?: string): Expiry {
  let boot = name;
  const thisBoot = (): string => (boot ??= bootName(clock));
  const startWall = clock.now();
  const startMonotonic = clock.monotonic();
  let latest = startWall;

  function line(): number {
    const expected = startWall + clock.monotonic() - startMonotonic;
    const wall = clock.now();
    const trusted = Math.abs(wall - expected) <= LIMITS.clockJumpMs ? wall : expected;
    latest = Math.max(latest, trusted);
    return latest;
  }

  return {
    begin: () => {
      const now = Math.max(0, Math.floor(clock.now()));
      return {
        created_at_ms: now,
        expires_at_ms: Math.floor((now + ttlMs) / 1000) * 1000,
        boot: thisBoot(),
        monotonic_ms: Math.floor(clock.monotonic()),
      };
    },
    isExpired: (lifetime) => {
      const age = clock.monotonic() - lifetime.monotonic_ms;
      if (lifetime.boot === thisBoot() && age >= 0)
        return age >= lifetime.expires_at_ms - lifetime.created_at_ms;
      return line() >= lifetime.expires_at_ms;
    },
    isStale: (writtenAt) => line() >= writtenAt + ttlMs,
  };
}
