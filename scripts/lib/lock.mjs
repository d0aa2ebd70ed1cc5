import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Runs `work` while no other process of this machine does under the same path. The file holds its
 * owner's pid and start time; a file whose owner has died is taken over.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(owner: number) => void} onWait called once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait = () => {}) {
  mkdirSync(dirname(path), { recursive: true });
  const own = JSON.stringify({ pid: process.pid, started: startTime(process.pid), id: randomUUID() });
  let hasReported = false;
  while (!tryCreate(path, own)) {
    const held = readOwner(path);
    if (held === null) continue;
    if (!isAlive(held.owner)) {
      breakStale(path, held.text);
      continue;
    }
    if (!hasReported) onWait(held.owner.pid);
    hasReported = true;
    await delay(POLL_MS);
  }
  const release = () => {
    if (readOwner(path)?.text === own) rmSync(path, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

function tryCreate(path, text) {
  // Written to a separate file and linked into place, so that no process reads half an owner.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readOwner(path) {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, owner: parseOwner(text) };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function parseOwner(text) {
  try {
    const { pid, started } = JSON.parse(text);
    return { pid: Number.isInteger(pid) && pid > 0 ? pid : null, started };
  } catch {
    return { pid: null, started: null };
  }
}

/** A pid alone is not enough: it may have been given to another process since. */
function isAlive({ pid, started }) {
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return startTime(pid) === started;
}

/** Removes the file of a dead owner, unless it is no longer that file. */
function breakStale(path, staleText) {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // Between reading and renaming, another process may have taken over: then it is put back.
  if (readFileSync(aside, 'utf8') !== staleText) tryRestore(aside, path);
  rmSync(aside, { force: true });
}

function tryRestore(aside, path) {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/** Start time in clock ticks since boot where the system tells (Linux), else null. */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets: fields are counted after the last bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
