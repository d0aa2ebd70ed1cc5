/** What programs need to run at all, and what holds no secret. */
const COMMON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'LANGUAGE',
  'TZ',
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramFiles',
  'USERNAME',
];

/** How many Spillways have started each other to get here. */
const DEPTH = 'SPILLWAY_UPSTREAM_DEPTH';
/** So many Spillways may start each other. */
const DEPTH_MAX = 3;

const depthOf = (environment: NodeJS.ProcessEnv): number => Number(environment[DEPTH] ?? 0) || 0;

/** Whether this process may have upstreams. One that a Spillway started needs them named on its command line: the file of its home may name itself. */
export function mayStart(environment: NodeJS.ProcessEnv, isNamed: boolean): boolean {
  const depth = depthOf(environment);
  return depth === 0 || (isNamed && depth < DEPTH_MAX);
}

/** The whole environment of an upstream: a few common variables of ours, and what its entry has. Nothing else of ours reaches it. */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const common = Object.entries(ours).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (COMMON.includes(name) || name.startsWith('LC_')) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(common), ...env, [DEPTH]: String(depthOf(ours) + 1) };
}
