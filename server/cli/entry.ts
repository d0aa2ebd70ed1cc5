import { forward } from './session/client.ts';
import { isForSession, parseSessionPlace } from './session/note.ts';

const words = process.argv.slice(2);

// Loading the server takes a tenth of a second: a command for a running session does without it.
const code = isForSession(words) ? await forward(words, parseSessionPlace(words, process.cwd())) : null;
if (code === null) await import('./main.ts');
else process.exitCode = code;
