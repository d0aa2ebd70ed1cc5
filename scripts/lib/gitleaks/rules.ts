import { parse } from 'smol-toml';
import { parseRe2, printNode, printNodes, type Node } from './re2.ts';

/*
 * Turns gitleaks' rules into the two forms that `server/libraries/redaction` searches for: a shape, and a name with
 * the form of its value.
 */

interface Shape {
  readonly kind: string;
  readonly start: string;
  /** Source of an expression that matches what follows `start`. */
  readonly rest: string;
  /** Source of an expression for a literal within the text, where it begins with none. */
  readonly anchor?: string;
}

interface NamedValue {
  readonly kind: string;
  /** Words that the name of the value has, in either case. */
  readonly name: string;
  readonly value: string;
  /** Lengths that the value can have. */
  readonly least: number;
  readonly most: number;
  /** Bits a character that the value has at least. */
  readonly entropy: number;
}

export interface Converted {
  readonly shapes: readonly Shape[];
  readonly named: readonly NamedValue[];
  /** Rules without a use here, each with its reason. */
  readonly left: readonly (readonly [id: string, reason: string])[];
}

interface SourceRule {
  readonly id: string;
  readonly regex: string;
  readonly entropy: number;
}

const EXCLUDED: Readonly<Record<string, string>> = {
  'generic-api-key': 'weigh.ts and key-values.ts weigh names and values',
  'hashicorp-tf-password': 'weigh.ts has the name',
  'curl-auth-header': 'places.ts finds the header wherever it is',
  'curl-auth-user': 'it spans lines without a bound',
  jwt: 'own-rules.ts has it with encrypted and unsigned forms',
  'jwt-base64': 'own-rules.ts has it',
  'private-key': 'places.ts reads keys that span chunks',
  'kubernetes-secret-yaml': 'it spans lines',
  'nuget-config-password': 'fields.ts reads attributes',
  'freemius-secret-key': 'weigh.ts has the name',
  'pkcs12-file': 'it is about names of files',
  'gitlab-session-cookie': 'places.ts reads headers of cookies',
  'slack-webhook-url': 'own-rules.ts has it with escaped dots',
  'sidekiq-sensitive-url': 'places.ts finds credentials in addresses',
  'facebook-access-token': 'own-rules.ts has it with a literal to search for',
  'aws-amazon-bedrock-api-key-short-lived': 'it has no secret part',
};
const NOT_SECRET = /-(?:client-id|access-id|api-id|pub-key|pub-api-key|public-key)$/;

/** Kinds that Spillway names itself; others keep gitleaks' names. */
const KINDS: readonly (readonly [id: RegExp, kind: string])[] = [
  [/^aws-access-token$/, 'aws-access-key'],
  [/^gcp-api-key$/, 'google-api-key'],
  [/^slack-webhook-url$/, 'slack-webhook'],
  [
    /^(github|gitlab|slack|grafana|vault|square|shopify|huggingface|notion|atlassian|digitalocean|npm|pypi|telegram|figma)-/,
    '$1-token',
  ],
  [/^(anthropic|openai|twilio|sendgrid|linear|postman|stripe|perplexity|mailgun|age)-/, '$1-key'],
];

function kindOf(id: string): string {
  const [pattern, kind] = KINDS.find(([one]) => one.test(id)) ?? [];
  return pattern === undefined || kind === undefined
    ? id
    : (id.match(pattern)?.[0] ?? id).replace(pattern, kind);
}

const SEPARATOR = /\(\?:=\|>\|:\{1,3\}=\|\\\|\\\|\|:\|=>\|\\\?=\|,\)\[\\x60'"\\s=\]\{0,5\}/;
const NAME_HEAD = /^(?:\(\?i\)\[\\w\.-\]\{0,50\}\?|\[\\w\.-\]\{0,50\}\?\(\?i:\[\\w\.-\]\{0,50\}\?)/;
const NAME_TAIL = /\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}\)?$/;
const END = '(?:[\\x60\'"\\s;]|\\\\[nr]|$)';

/** The options of an expression that begins with a choice, each as a row of nodes. */
function expand(nodes: readonly Node[]): Node[][] {
  const at = nodes.findIndex((node) => node.type === 'group');
  const group = nodes[at];
  if (group?.type !== 'group' || (at > 0 && group.options.length > 1 && at > 2)) return [[...nodes]];
  return group.options.flatMap((option) =>
    expand([...nodes.slice(0, at), ...option, ...nodes.slice(at + 1)]),
  );
}

/** Drops assertions and optional borders at the ends: they describe the surroundings of a secret. */
function trim(nodes: readonly Node[]): Node[] {
  const isBorder = (node: Node | undefined): boolean =>
    node?.type === 'assertion' ||
    (node?.type === 'group' &&
      node.options.some(([only, ...more]) => more.length === 0 && only?.type === 'assertion'));
  let [start, end] = [0, nodes.length];
  while (isBorder(nodes[start])) start += 1;
  while (isBorder(nodes[end - 1])) end -= 1;
  return nodes.slice(start, end).filter(({ type }) => type !== 'assertion');
}

/** Where the longest literal of a row is. */
function literalOf(nodes: readonly Node[]): string {
  let best = '';
  for (let start = 0; start < nodes.length; start += 1) {
    const literal = literalAt(nodes, start);
    if (literal.length > best.length) best = literal;
  }
  return best;
}

function literalAt(nodes: readonly Node[], start: number): string {
  let literal = '';
  for (let node = nodes[start]; node?.type === 'char'; node = nodes[start + literal.length])
    literal += node.char;
  return literal;
}

/** A shorter literal occurs in every text. */
const MIN_LITERAL = 2;

function shapeOf(kind: string, nodes: readonly Node[]): Shape | null {
  const start = literalAt(nodes, 0);
  // Every address begins like that.
  if (start.length >= MIN_LITERAL && start !== 'https://')
    return { kind, start, rest: printNodes(nodes.slice(start.length)) };
  const anchor = literalOf(nodes.slice(start.length));
  if (anchor.length < MIN_LITERAL) return null;
  return { kind, start: '', rest: printNodes(nodes), anchor: anchor.replaceAll('.', '\\.') };
}

/** The least and the most characters that nodes match. */
function lengthsOf(nodes: readonly Node[]): readonly [number, number] {
  return nodes.reduce<readonly [number, number]>(
    ([least, most], node) => {
      if (node.type === 'assertion') return [least, most];
      if (node.type === 'group') {
        const lengths = node.options.map(lengthsOf);
        return [
          least + Math.min(...lengths.map(([min]) => min)),
          most + Math.max(...lengths.map(([, max]) => max)),
        ];
      }
      if (node.type !== 'repeat') return [least + 1, most + 1];
      const [min, max] = lengthsOf([node.node]);
      return [least + node.min * min, most + (node.max === Infinity ? MAX_REPEATED : node.max) * max];
    },
    [0, 0],
  );
}
const MAX_REPEATED = 500;

function convertNamed(kind: string, rule: SourceRule): NamedValue | null {
  const [head, tail] = rule.regex.split(SEPARATOR);
  if (head === undefined || tail === undefined || !NAME_HEAD.test(head)) return null;
  const anyCase = head.startsWith('(?i)') ? '(?i)' : '';
  const nodes = expand(trim([parseRe2(anyCase + tail.replace(END, ''))]));
  const value = nodes.map((option) => printNodes(option)).join('|');
  const name = head.replace(NAME_HEAD, '').replace(NAME_TAIL, '').replaceAll('(?-i:', '(?:');
  const lengths = nodes.map(lengthsOf);
  const [least, most] = [
    Math.min(...lengths.map(([min]) => min)),
    Math.max(...lengths.map(([, max]) => max)),
  ];
  return { kind, least, most, name: printNode(parseRe2(lowerCase(name))), value, entropy: rule.entropy };
}

/** Names are searched for in either case (`[Jj]ira` is `jira`) and as labels, whose words have blanks between them. */
function lowerCase(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\[(.)\1\]/g, '$1')
    .replaceAll('[_.-]?', '[ _.-]?')
    .replaceAll('[_-]?', '[ _-]?');
}

/** A rule whose options are a name and a shape. */
function parts(regex: string): string[] {
  const at = regex.indexOf(`${END}|\\b`);
  return at < 0 ? [regex] : [regex.slice(0, at + END.length), regex.slice(at + END.length + 1)];
}

/** The rules of `gitleaks.toml`. @throws Error for a rule whose syntax is not understood */
export function convertRules(toml: string): Converted {
  const shapes: Shape[] = [];
  const named: NamedValue[] = [];
  const left: [string, string][] = [];
  for (const rule of readRules(toml)) {
    const reason = EXCLUDED[rule.id] ?? (NOT_SECRET.test(rule.id) ? 'not secret' : null);
    if (reason !== null) {
      left.push([rule.id, reason]);
      continue;
    }
    for (const regex of parts(rule.regex)) {
      const value = convertNamed(kindOf(rule.id), { ...rule, regex });
      if (value !== null) named.push(value);
      else
        for (const option of expand(trim(top(regex.replace(END, ''))))) {
          const shape = shapeOf(kindOf(rule.id), trim(option));
          if (shape === null || shape.start === 's.') left.push([rule.id, 'an option without a literal']);
          else shapes.push(shape);
        }
    }
  }
  return { shapes: unique(shapes), named, left };
}

/** The nodes of an expression that is not a choice. */
function top(regex: string): readonly Node[] {
  const node = parseRe2(regex);
  return node.type === 'group' && node.options.length === 1 ? (node.options[0] ?? []) : [node];
}

function unique(shapes: readonly Shape[]): Shape[] {
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

function readRules(toml: string): SourceRule[] {
  const { rules } = parse(toml);
  if (!Array.isArray(rules)) throw new Error('gitleaks.toml has no rules.');
  return rules.flatMap((rule): SourceRule[] => {
    if (typeof rule !== 'object' || Array.isArray(rule) || rule instanceof Date) return [];
    const { id, regex = '', entropy = 0 } = rule;
    if (typeof id !== 'string' || typeof regex !== 'string') throw new Error('A rule has no id or no regex.');
    return [{ id, regex, entropy: Number(entropy) }];
  });
}
