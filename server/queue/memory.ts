import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '../core/services.ts';

const LOOK_MS = 500;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly kilobytes: number;
}

/**
 * Kills the renderers of this process's browsers that have more resident memory: V8 counts neither array buffers nor
 * documents. Needs `/proc`; elsewhere nothing is limited.
 * @returns a function that ends it
 */
export function limitRenderers(megabytes: number, logger: Logger): () => void {
  if (process.platform !== 'linux') return () => undefined;
  const look = (): void => {
    for (const { pid, kilobytes } of below(process.pid, processes())) {
      if (kilobytes <= megabytes * 1_024 || !isRendererOfPages(pid)) continue;
      if (!kill(pid)) continue;
      logger.warn({ pid, megabytes: Math.round(kilobytes / 1_024) }, 'a page grew too large, and was ended');
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}

function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const status = Number.isInteger(pid) ? readProcFile(pid, 'status') : '';
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(status) ?? [];
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    if (parent === undefined || kilobytes === undefined) return [];
    return [{ pid, parent: Number(parent), kilobytes: Number(kilobytes) }];
  });
}

function below(root: number, all: readonly Process[]): readonly Process[] {
  const children = all.filter(({ parent }) => parent === root);
  return children.flatMap((child) => [child, ...below(child.pid, all)]);
}

/** Not those of extensions: without ours, its browser would be of no use. */
function isRendererOfPages(pid: number): boolean {
  const command = readProcFile(pid, 'cmdline');
  return command.includes('--type=renderer') && !command.includes('--extension-process');
}

/** False for a process that has gone. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Empty for a process that has gone. */
function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
