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

/** The whole environment of an upstream: a few common variables of ours, and what its entry has. Nothing else of ours reaches it. */
export function environmentOf(
  env: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const common = Object.entries(ours).flatMap(([name, value]): [string, string][] =>
    value !== undefined && (COMMON.includes(name) || name.startsWith('LC_')) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(common), ...env };
}
