import { invalidArgument } from '../../shared/base/errors.ts';
import { isSite } from '../../shared/core/policy/sites.ts';
import { TextRule } from '../../shared/people/policy.ts';
import { chooseBrowser } from '../core/bridge/choose-browser.ts';
import { createBridge } from '../core/bridge/index.ts';
import { plain, quiet, type CommandIo } from '../core/command-io.ts';
import { systemClock } from '../core/services.ts';

/** Flags of `spillway rules`. */
export interface RulesOptions {
  /** Sites, separated by commas, whose text the proposed rule is about. */
  readonly from?: string | undefined;
  /** Sites to which the text comes. */
  readonly to?: string | undefined;
  readonly effect?: string | undefined;
  /** Name or label of the browser. */
  readonly browser?: string | undefined;
}

/**
 * `spillway rules`: opens the page of the person's rules in their browser, with a rule filled in if the flags propose
 * one. Only the person saves it there: an agent could run the command too. Resolves to the exit code.
 * @throws SpillwayError `invalid_argument`, `browser_not_connected`, `browser_ambiguous`
 */
export async function runRules(flags: RulesOptions, io: CommandIo): Promise<number> {
  const proposed = readTextRule(flags);
  const bridge = createBridge({ logger: quiet, clock: systemClock });
  try {
    await bridge.ready();
    const connected = bridge
      .browsers()
      .flatMap((each) => (each.connected ? [{ ...each.facts, id: each.id }] : []));
    const { id, label, name } = chooseBrowser(connected, flags.browser);
    await bridge.request(id, 'rules.open', { proposed }, { call: null });
    const next =
      proposed === null ? 'You change them there' : 'The rule is filled in, and applies once you save it';
    io.write(`The rules are open in ${plain(label ?? name)}. ${next}.\n`);
  } finally {
    await bridge.close();
  }
  return 0;
}

function readTextRule({ from, to, effect }: RulesOptions): TextRule | null {
  if (from === undefined && to === undefined && effect === undefined) return null;
  const [missing] = Object.entries({ from, to, effect }).find(([, value]) => value === undefined) ?? [];
  if (missing !== undefined)
    throw invalidArgument(`--${missing}: a rule about text needs --from, --to and --effect.`);
  const rule = { from: readSites('from', from), to: readSites('to', to), effect };
  const { data, error } = TextRule.safeParse(rule);
  if (data === undefined)
    throw invalidArgument(`--${String(error.issues[0]?.path[0])}: ${error.issues[0]?.message}`);
  return data;
}

function readSites(flag: string, text = ''): string[] {
  const sites = text.split(',').map((site) => site.trim());
  const wrong = sites.find((site) => !isSite(site));
  if (wrong !== undefined)
    throw invalidArgument(
      `--${flag}: "${plain(wrong)}" is not a site, such as example.com or https://example.com:8443.`,
    );
  return sites;
}
