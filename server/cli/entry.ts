import { forward } from './session/client.ts';
import { isForSession, placeOf } from './session/note.ts';

const words = process.argv.slice(2);

// The server takes a tenth of a second to read: a command for a session that runs does without it.
const code = isForSession(words) ? await forward(words, placeOf(words, process.cwd())) : null;
if (code === null) await import('./main.ts');
else process.exitCode = code;
