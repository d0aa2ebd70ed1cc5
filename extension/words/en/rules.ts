import { kinds } from './kinds.ts';
import { type Texts, catalogue, plural } from '../languages.ts';

interface ShownRule {
  readonly id: string;
  readonly source: string;
  readonly sites: readonly string[] | null;
}

/** Names of the shipped rules. */
const shippedRules: Readonly<Record<string, string>> = {
  'default-read': 'the default for reading',
  'default-act': 'the default for acts',
  'asking-off': 'you do not want to be asked about acts',
  'default-private': 'the default for your own network',
  'listed-act': 'the default for acts on listed sites',
  'listed-read': 'the default for reading listed sites',
};

const rules = {
  risks: kinds,
  effects: { allow: 'Allow', ask: 'Ask me', deny: 'Deny' },
  lists: {
    payment: 'Payment',
    banking: 'Banking',
    password_manager: 'Password managers',
    identity: 'Sign-in services',
  },
  ruleName: ({ source, sites, id }: ShownRule) =>
    source === 'person' ? `your rule for ${sites?.join(', ') ?? 'every site'}` : (shippedRules[id] ?? id),
  title: 'Rules for agents',
  intro: 'Rules say what agents may do on which site. Changes apply to the next call.',
  asks: 'Ask me before agents act on pages',
  asksDetail: 'When off, acts are allowed unless a rule says otherwise. The listed sites stay guarded.',
  own: 'Your rules',
  order:
    'The rule with the narrowest site decides: shop.example.com before example.com before every site. Ties: a rule that names the agent first, then yours before the defaults, then one that names the kind of act, then Deny before Ask before Allow. The list is in this order.',
  none: 'You have no rules. The defaults ask about acts, and guard the listed sites.',
  anySite: 'Every site',
  anyRisk: 'everything',
  anyAgent: 'every agent',
  forAgents: (agents: string) => `for ${agents}`,
  edit: 'Edit',
  remove: 'Remove',
  editOf: (name: string) => `Edit the rule for ${name}`,
  removeOf: (name: string) => `Remove the rule for ${name}`,
  add: 'Add a rule',
  change: 'Change the rule',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'Saved. Takes effect now.',
  removed: 'Removed.',
  sites: 'Sites, one per line',
  sitesNote:
    'example.com, *.example.com, https://example.com:8443, =https://example.com (no subdomains), @banking, @private. Empty for every site.',
  kinds: 'Kinds of acts (none checked means all)',
  agents: 'Agent names (self-reported)',
  agentsNote: 'claude-code, codex. Empty for every agent.',
  effect: 'What happens',
  notSite: (text: string) => `“${text}” is not a site, such as example.com or https://example.com:8443.`,
  agentTooLong: 'A name has at most 100 characters.',
  everything:
    'This would allow everything to every agent everywhere. Name a site, a kind of act or an agent.',
  listTitle: 'Listed sites',
  listIntro: 'On these, acts are denied and reading asks. Uncheck a site to treat it like any other.',
  listCount: (on: number, all: number) => `${on} of ${all} on`,
  yours: 'Your own, one per line',
  saveList: 'Save these',
  try: 'Try an address',
  address: 'Address',
  addressExample: 'https://shop.example.com/cart',
  agent: 'Agent (optional)',
  agentExample: 'claude-code',
  notAddress: 'This is not the address of a site.',
  tryCaption: (site: string) => `What agents may do at ${site}`,
  kind: 'Kind of act',
  because: 'Because of',
  files: 'Export and import',
  exportRules: 'Export as a file',
  importRules: 'Import a file',
  importNote: 'An import replaces your rules and lists.',
  imported: (count: number) => `Imported: ${plural(count, { one: '1 rule', other: `${count} rules` })}.`,
  importFailed: (why: string) => `Nothing was imported: ${why}`,
  notJson: 'the file is not JSON.',
  damaged: 'Your stored rules cannot be read, so the defaults apply.',
  exportDamaged: 'Export the stored data',
  kept: 'Unreadable rules were replaced. The stored data is kept.',
  dropDamaged: 'Delete it',
};

export type RulesWords = Texts<typeof rules>;
export const rulesTexts = catalogue<RulesWords>(rules);
