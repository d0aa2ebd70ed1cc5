import { convertRules } from './rules.ts';

/** Paths below a checkout. The first line of the source names its version. */
export const SOURCE_FILE = 'scripts/lib/gitleaks/gitleaks.toml';
export const RULES_FILE = 'server/libraries/redaction/gitleaks-rules.generated.json';

/** Gitleaks' rules as JSON, one rule per line, from the copy of its configuration. */
export function rulesFile(toml: string): string {
  const version = /^# gitleaks (?<version>v[\d.]+)$/m.exec(toml)?.groups?.['version'];
  if (version === undefined) throw new Error(`${SOURCE_FILE} does not name its version.`);
  const { shapes, named } = convertRules(toml);
  const rows = (values: readonly object[]): string =>
    values.map((value) => `  ${JSON.stringify(value)}`).join(',\n');
  return `{
"from": "gitleaks ${version}, by Zachary Rice and its contributors (MIT, https://github.com/gitleaks/gitleaks), by npm run redaction-rules",
"shapes": [
${rows(shapes)}
],
"named": [
${rows(named)}
]
}
`;
}
