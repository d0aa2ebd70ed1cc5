import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../server/core/clock.ts';
import type { RaisedQuestion } from '../../../server/core/services.ts';
import { sha256 } from '../../../server/machine/digest.ts';
import { KeptQuestions } from '../../../server/people/kept-calls.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { temporaryHome } from '../../support/home.ts';
import { createSession } from '../../support/session.ts';

export const { signal } = new AbortController();
export const ARGS = { steps: ['click e1'], tab: 'b1:7' };

/** What a browser keeps, and who asks for what. */
export function fakeBrowser() {
  const kept = new Map<string, string>();
  const adopted: { id: string; session: string }[] = [];
  const bridge = new FakeBridge({
    'question.keep': async ({ id, key_hash: hash }) => {
      kept.set(id, hash);
      return { kept: true };
    },
    'question.adopt': async ({ id, key, caller }) => {
      if (kept.get(id) !== sha256(key)) return { adopted: false };
      adopted.push({ id, session: caller.session });
      return { adopted: true };
    },
  });
  bridge.addBrowser();
  return { bridge, kept, adopted };
}

export function session(name = 'codex', id = 's1') {
  const made = createSession(id);
  made.name = name;
  return made;
}

export function question(
  args: JsonObject | null = ARGS,
  more: { id?: string; isEditable?: boolean } = {},
): RaisedQuestion {
  const call = { call_id: 'call-1', tool: 'interact', title: 'Interact', args };
  return {
    id: more.id ?? 'b1:q_1',
    scope: {
      caller: { session: 's1', name: 'codex' },
      call: { ...call, is_editable: more.isEditable ?? args !== null, args_hash: 'a'.repeat(64) },
    },
  };
}

let servers = 0;
/** A server of a home. */
export function server(
  home: string,
  {
    bridge,
    clock = systemClock,
    isRedacting = true,
  }: { bridge: FakeBridge; clock?: typeof systemClock; isRedacting?: boolean },
) {
  const warned: string[] = [];
  const line = (_facts: object, message: string): void => void warned.push(message);
  const kept = new KeptQuestions({
    home,
    bridge,
    clock,
    redactor: createRedactor({ enabled: isRedacting }),
    logger: { debug: () => undefined, info: () => undefined, warn: line, error: line },
    server: (servers += 1).toString(16).padStart(16, '0'),
  });
  return { kept, warned };
}

export const filesOf = (home: string): string[] => {
  try {
    return readdirSync(join(home, 'pending'));
  } catch {
    return [];
  }
};
export const textOf = (home: string): string =>
  filesOf(home)
    .map((name) => readFileSync(join(home, 'pending', name), 'utf8'))
    .join('\n');
/** The process of the server that left the files has died. */
export function kill(home: string): void {
  for (const name of filesOf(home))
    renameSync(join(home, 'pending', name), join(home, 'pending', name.replace(/-\d+-\d+-/, '-4194304-1-')));
}
/** A home with a call that a server has left, its browser, and what another server adopts of it. */
export async function leftCall(raised = question(), more: { clock?: typeof systemClock } = {}) {
  const home = await temporaryHome();
  const browser = fakeBrowser();
  const next = (bridge = browser.bridge): KeptQuestions => server(home, { bridge, ...more }).kept;
  const first = next();
  await first.keep(raised, session());
  first.leave();
  const adopt = (by = session(), kept = next()) => kept.adopt('call-1', by, signal);
  return { ...browser, home, first, next, adopt };
}
