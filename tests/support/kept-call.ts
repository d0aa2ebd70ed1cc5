import { HomeDatabase } from '../../server/core/home/database.ts';
import type { RaisedQuestion } from '../../server/core/people.ts';
import { systemClock } from '../../server/core/services.ts';
import { sha256 } from '../../server/core/machine/files.ts';
import { KeptQuestions } from '../../server/people/kept-calls.ts';
import { createRedactor } from '../../server/libraries/redaction/index.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { FakeBridge } from './fake-bridge.ts';
import { temporaryHome } from './home.ts';
import { createSession } from './session.ts';

/* Servers that keep calls for the next one, and the browser that asks about them. */

const { signal } = new AbortController();
export const ARGS = { steps: ['click e1'], tab: 'b1:7' };

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
export function server(
  home: string,
  given: { bridge: FakeBridge; clock?: typeof systemClock; isRedacting?: boolean },
) {
  const { bridge, clock = systemClock, isRedacting = true } = given;
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

export function recordsOf(home: string): string[] {
  const database = new HomeDatabase(home);
  try {
    return database.rows('SELECT facts FROM question').map(String);
  } finally {
    database.close();
  }
}
/** Damages the stored questions of a home. */
export function change(home: string, sql: string): void {
  const database = new HomeDatabase(home);
  database.write(() => database.run(sql));
  database.close();
}
/** As if each server of a home had been killed. */
export const endServers = (home: string): void =>
  change(home, `UPDATE question SET pid = 4194304, start_time = '1'`);
/** A home with a call whose server has left, its browser, and the result of another server's adoption. */
export async function leftCall(raised = question()) {
  const home = await temporaryHome();
  const browser = fakeBrowser();
  const next = (bridge = browser.bridge): KeptQuestions => server(home, { bridge }).kept;
  const first = next();
  await first.keep(raised, session());
  first.leave();
  const adopt = (by = session(), kept = next()) => kept.adopt('call-1', by, signal);
  return { ...browser, home, first, next, adopt };
}
