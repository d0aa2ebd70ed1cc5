import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES_FILE, SOURCE_FILE, rulesFile } from './lib/gitleaks/module.ts';
import { convertRules } from './lib/gitleaks/rules.ts';

/*
 * `npm run redaction-rules` writes gitleaks' rules as JSON from the copy of its configuration.
 * `-- FILE VERSION` replaces the copy first, by the `config/gitleaks.toml` of that version.
 */
const ROOT = join(import.meta.dirname, '..');
const [file, version] = process.argv.slice(2);

if (file !== undefined) {
  if (!/^v\d+\.\d+\.\d+$/.test(version ?? '')) throw new Error('Name the version of the file: FILE v1.2.3');
  writeFileSync(join(ROOT, SOURCE_FILE), `# gitleaks ${version}\n${readFileSync(file, 'utf8')}`);
}
const toml = readFileSync(join(ROOT, SOURCE_FILE), 'utf8');
writeFileSync(join(ROOT, RULES_FILE), rulesFile(toml));
const { shapes, named, left } = convertRules(toml);
for (const [id, reason] of left) console.log(`left out: ${id} (${reason})`);
console.log(`${RULES_FILE}: ${shapes.length} shapes, ${named.length} named values`);
