import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import type { FaceCall } from '../../../extension/panel/tools/face.ts';
import type { ShownAnswer } from '../../../extension/panel/view/faces/face-props.ts';
import type { Language } from '../../../extension/words/languages.ts';
import type { JsonObject } from '../../../shared/json.ts';

/** What the page is to show. */
export interface ShownFace {
  readonly call: FaceCall;
  readonly answer: ShownAnswer;
  readonly surface?: 'inspector' | 'face' | 'portal' | 'intervention';
  readonly args?: JsonObject;
  readonly language?: Language;
  readonly isLost?: boolean;
}

/** A page that shows faces of tools, and nothing else of the panel. */
export interface FacePage {
  readonly page: Page;
  /** Shows a face in the place of what was there. */
  show(shown: ShownFace): Promise<void>;
  /** What is to be read. */
  text(): Promise<string>;
  /** What its buttons and links have opened. */
  opened(): Promise<readonly string[]>;
  /** What it said in the console, errors that nobody caught among it. */
  readonly logged: string[];
}

/**
 * Bundles a page of faces into one script, which brings its style sheet.
 *
 * @param replaced texts of modules that take the place of faces, by their path below `extension/panel/tools/`
 */
export async function bundlePage(
  entry: URL,
  replaced: Readonly<Record<string, string>> = {},
): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        name: 'replaced-faces',
        load: (id) => Object.entries(replaced).find(([path]) => id.endsWith(`/panel/tools/${path}`))?.[1],
      },
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(entry),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return files.find((file) => file.type === 'chunk')?.code ?? '';
}

/** Opens the faces in a page without the extension. */
export async function openFacePage(
  browser: Browser,
  replaced: Readonly<Record<string, string>> = {},
): Promise<FacePage> {
  const script = await bundlePage(new URL('page.tsx', import.meta.url), replaced);
  const page = await browser.newPage({ viewport: { width: 380, height: 700 } });
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  page.on('pageerror', (error) => logged.push(error.message));
  await page.setContent('<!doctype html><html lang="en"><title>Faces</title><body></body></html>');
  await page.addScriptTag({ content: script });
  return {
    page,
    logged,
    show: async (shown) => void (await page.evaluate(`facePage.show(${JSON.stringify(shown)})`)),
    text: () => page.locator('main').innerText(),
    opened: () => page.evaluate('facePage.opened'),
  };
}
