const HEARTBEAT_MS = 15_000;
const REDRAW_MS = 100;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

// Not styleText of node:util: a Node that is too old for it must still print the error.
const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39] };

/** Colours a text where the reader has colours: a terminal without NO_COLOR. */
export function paint(style, text, stream = process.stdout) {
  if (!stream.isTTY || process.env.NO_COLOR) return text;
  const [on, off] = STYLES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** `840 ms`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(ms) {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** A failure whose message is enough: no stack is printed for it. */
export class PlainError extends Error {
  name = 'PlainError';
}

/**
 * Runs one step and gives it one line: `✔ build  built in …`. While it runs, a terminal shows a
 * moving line; elsewhere each `say` prints a line, and so does a heartbeat, so that a log moves.
 * @param {string} title
 * @param {(say: (text: string) => void) => Promise<string> | string} work returns the line's detail
 */
export async function step(title, work, stream = process.stdout) {
  const startedAt = performance.now();
  const line = createLine(title, stream);
  const elapsed = () => formatDuration(performance.now() - startedAt);
  try {
    const detail = await work((text) => line.say(text));
    const tookMs = performance.now() - startedAt;
    line.end(paint('green', '✔', stream), detail, tookMs >= 1_000 ? elapsed() : '');
  } catch (error) {
    line.end(paint('red', '✘', stream), 'failed', elapsed());
    throw error;
  }
}

function createLine(title, stream) {
  const label = title.padEnd(16);
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  let doing = '';
  let frame = 0;
  const clear = () => stream.write('\r\u001b[2K');
  const redraw = () => {
    clear();
    const text = `  ${FRAMES[frame++ % FRAMES.length]} ${label}${doing} ${seconds()}`;
    stream.write(text.slice(0, (stream.columns ?? 80) - 1));
  };
  const beat = () => stream.write(`  … ${label}${doing} (${seconds()})\n`);
  const timer = stream.isTTY ? setInterval(redraw, REDRAW_MS) : setInterval(beat, HEARTBEAT_MS);
  return {
    say(text) {
      doing = text;
      if (!stream.isTTY) stream.write(`  … ${label}${text}\n`);
    },
    end(mark, detail, took) {
      clearInterval(timer);
      if (stream.isTTY) clear();
      const suffix = took === '' ? '' : paint('dim', `  ${took}`, stream);
      stream.write(`  ${mark} ${label}${detail}${suffix}\n`);
    },
  };
}

/** Runs a command's main function; a {@link PlainError} is printed without its stack. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const text = error instanceof PlainError ? error.message : (error?.stack ?? String(error));
    process.stderr.write(`\n${paint('red', text, process.stderr)}\n`);
    process.exitCode = 1;
  }
}
