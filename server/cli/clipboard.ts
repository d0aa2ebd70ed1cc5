import { spawn } from 'node:child_process';
import type { Platform } from '../bridge/install/machine.ts';

/** Programs that copy their input, in the order in which they are tried. */
const COPIERS: Readonly<Record<Platform, readonly (readonly [string, ...string[]])[]>> = {
  darwin: [['pbcopy']],
  win32: [['clip.exe']],
  linux: [['wl-copy'], ['xclip', '-selection', 'clipboard'], ['xsel', '--clipboard', '--input']],
};

/** Puts a text into the clipboard; says whether a program took it. */
export async function copyText(text: string, platform: Platform): Promise<boolean> {
  for (const [program, ...args] of COPIERS[platform]) if (await pipeTo(program, args, text)) return true;
  return false;
}

function pipeTo(program: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: 2_000 });
    child.once('error', () => resolve(false));
    // Some stay to serve the clipboard, in a process of their own.
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
