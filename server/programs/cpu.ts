/** Node 20 lacks it, and so do its types. */
type Usage = Pick<NodeJS.Process, 'cpuUsage'> & { readonly threadCpuUsage?: () => NodeJS.CpuUsage };

const sumMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** The CPU time of this thread or, where that is unknown, of the process. */
export const threadCpuMs = ({ cpuUsage, threadCpuUsage = cpuUsage }: Usage = process): number =>
  sumMs(threadCpuUsage());

export const processCpuMs = (): number => sumMs(process.cpuUsage());

/**
 * Measures from now on how long a thread has computed, at most. Other threads may have used the CPU time of the process, and other
 * processes the time that has passed.
 */
export function measureCpu(cpuMs: () => number, passedMs: () => number): () => number {
  const [cpu, passed] = [cpuMs(), passedMs()];
  return () => Math.min(cpuMs() - cpu, passedMs() - passed);
}
