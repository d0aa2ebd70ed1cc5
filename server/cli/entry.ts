import { forward } from './session/client.ts';
import { placeOf, SESSION_WORD } from './session/note.ts';

/** Commands that no session runs. */
const OWN = new Set([
  SESSION_WORD,
  'install',
  'uninstall',
  'doctor',
  'verify-bundle',
  'run',
  'ledger',
  'upstream',
  'skill',
  'stop',
  'help',
]);

const words = process.argv.slice(2);
const command = words.find((word) => !word.startsWith('-'));
const isForSession =
  command !== undefined && !OWN.has(command) && !words.includes('--help') && !words.includes('-h');

// The server takes a tenth of a second to read: a command for a session that runs does without it.
const code = isForSession ? await forward(words, placeOf(words, process.cwd())) : null;
if (code === null) await import('./main.ts');
else process.exitCode = code;
