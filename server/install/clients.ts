import { parse, stringify } from 'smol-toml';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isObject } from '../../shared/base/json.ts';
import { CLIENT_FILES, CLIENT_KINDS, type ClientKind } from '../core/bridge/client-files.ts';
import { makeParents, pathsOf, type MachineFiles } from '../core/bridge/machine.ts';
import { setIn } from './jsonc.ts';
import { FILE_MODE, type Written } from './receipt.ts';

/** How a client starts the server. */
export interface ClientCommand {
  readonly command: string;
  readonly args: readonly string[];
}

type Edit = (text: string, entry: ClientCommand | null) => string;

const NAME = 'spillway';

/** Settings in JSON: the servers are an object below `section`. */
const json =
  (section: string, more: Readonly<Record<string, string>> = {}): Edit =>
  (text, entry) =>
    entry === null
      ? setIn(text, [section, NAME], undefined)
      : Object.entries({ ...more, ...entry }).reduce(
          (changed, [key, value]) => setIn(changed, [section, NAME, key], value),
          text,
        );

/** Lines up to the next table. Comments and blank lines before it, or at the end, are not ours. */
const TOML_LINES = String.raw`[^\n]*(?:\n(?!(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:\[|(?:#[^\n]*)?(?![^])))[^\n]*)*\n?`;
/** Our table; its subtables are separate tables. */
const TOML_TABLE = new RegExp(String.raw`^[ \t]*\[mcp_servers\.(?:spillway|"spillway")\]${TOML_LINES}`, 'm');
/** All of them, each with the blank lines after it. */
const TOML_TABLES = new RegExp(
  String.raw`^[ \t]*\[mcp_servers\.(?:spillway|"spillway")(?:\.[^\]]*)?\]${TOML_LINES}(?:[ \t]*\r?\n)*`,
  'gm',
);

const ownTable = (text: string): unknown => {
  const servers = parse(text)['mcp_servers'];
  return isObject(servers) ? servers[NAME] : undefined;
};

/** Settings in TOML: only the lines of our table change. */
function toml(text: string, entry: ClientCommand | null): string {
  const own = ownTable(text);
  const changed = entry === null ? text.replace(TOML_TABLES, '') : withTable(text, own, entry);
  const now = ownTable(changed);
  // For instance, an inline table shares its line with others.
  if ((isObject(now) ? now['command'] : undefined) !== entry?.command)
    throw new SyntaxError(`the table mcp_servers.${NAME} is not written as [mcp_servers.${NAME}]`);
  return changed;
}

function withTable(text: string, own: unknown, entry: ClientCommand): string {
  const values = isObject(own) ? Object.entries(own).filter(([, value]) => !isObject(value)) : [];
  const table = `[mcp_servers.${NAME}]\n${stringify({ ...Object.fromEntries(values), ...entry })}`;
  if (TOML_TABLE.test(text)) return text.replace(TOML_TABLE, () => table);
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${table}`;
}

const EDITS: Readonly<Record<ClientKind, Edit>> = {
  'claude-code': json('mcpServers', { type: 'stdio' }),
  codex: toml,
  cursor: json('mcpServers'),
  vscode: json('servers', { type: 'stdio' }),
  windsurf: json('mcpServers'),
  zed: json('context_servers'),
  gemini: json('mcpServers'),
};

export interface ClientReport extends Written {
  readonly client: ClientKind;
  readonly name: string;
  /** The settings before Spillway first changed them; empty if there were none. */
  readonly backup: string;
  /** Why the action failed. */
  readonly note: string | null;
}

/** A planned change of settings that is not written yet. */
interface Change {
  readonly report: ClientReport;
  readonly before: Uint8Array | null;
  readonly text: string;
}

export interface ClientRequest extends MachineFiles {
  /** `found`: clients whose settings, or settings folder, exist. */
  readonly clients: 'found' | readonly ClientKind[];
}

/**
 * Plans how clients' settings start the server. Nothing is written before {@link writeClients}.
 * @throws SpillwayError `client_config_invalid` that names the file
 */
export async function planClients(request: ClientRequest, entry: ClientCommand): Promise<readonly Change[]> {
  const { machine, files, clients } = request;
  const changes: Change[] = [];
  for (const client of clients === 'found' ? CLIENT_KINDS : clients) {
    const change = await planChange(request, client, entry);
    // Without settings, and without a folder of its own for them, a client counts as absent.
    const folder = pathsOf(machine).dirname(change.report.path);
    const isFound =
      change.before !== null || (folder !== machine.userHome && (await files.isDirectory(folder)));
    if (clients !== 'found' || isFound) changes.push(change);
  }
  return changes;
}

/** The settings of a client, behind a link too: people keep theirs elsewhere. */
async function pathOf({ machine, files }: MachineFiles, client: ClientKind): Promise<string> {
  const named = CLIENT_FILES[client].file(machine);
  return (await files.realPath(named)) ?? named;
}

const backupOf = (path: string): string => `${path}.before-spillway`;

async function planChange(
  place: MachineFiles,
  client: ClientKind,
  entry: ClientCommand | null,
): Promise<Change> {
  const { name } = CLIENT_FILES[client];
  const path = await pathOf(place, client);
  const backup = backupOf(path);
  const before = await place.files.read(path);
  const old = before?.toString() ?? '';
  try {
    if (before === null && (await place.files.mode(path)) !== null)
      throw new Error('it is not a file, or this user cannot open it');
    const text = EDITS[client](old, entry);
    const action = before === null ? 'written' : text === old ? 'unchanged' : 'updated';
    return { report: { client, name, path, action, backup, note: null }, before, text };
  } catch (cause) {
    const otherwise =
      entry === null
        ? `take Spillway out of it yourself and delete ${backup}`
        : `leave ${client} out of --client`;
    throw new SpillwayError(
      'client_config_invalid',
      `The settings of ${name}, ${path}, cannot be read: ${messageOf(cause)}. Nothing was changed.`,
      { cause, hint: `Correct ${path}, or ${otherwise}.` },
    );
  }
}

/** Writes the planned settings; the first time, after a copy of the old ones. A client that fails stops no other. */
export async function writeClients(
  place: MachineFiles,
  changes: readonly Change[],
): Promise<readonly ClientReport[]> {
  const reports: ClientReport[] = [];
  for (const change of changes) {
    const { report } = change;
    const failure = await writeChange(place, change).then(() => null, messageOf);
    const note = `The settings of ${report.name} are as before: ${failure}`;
    reports.push(failure === null ? report : { ...report, action: 'failed', note });
  }
  return reports;
}

async function writeChange(place: MachineFiles, { report, before, text }: Change): Promise<void> {
  if (report.action === 'unchanged') return;
  const { files } = place;
  await makeParents(place, report.path);
  const mode = (await files.mode(report.path)) ?? FILE_MODE;
  if ((await files.mode(report.backup)) === null)
    await files.write(report.backup, before ?? new Uint8Array(), mode);
  await files.write(report.path, Buffer.from(text), mode);
}

/**
 * Removes the server from the settings that `install` changed. Settings that nobody has changed since become
 * byte for byte as before.
 * @throws SpillwayError `client_config_invalid`
 */
export async function removeClients(request: ClientRequest): Promise<readonly string[]> {
  const { files, clients } = request;
  const plans: { readonly change: Change; readonly saved: Buffer }[] = [];
  for (const client of clients === 'found' ? CLIENT_KINDS : clients) {
    const saved = await files.read(backupOf(await pathOf(request, client)));
    if (saved !== null) plans.push({ change: await planChange(request, client, null), saved });
  }
  for (const { change, saved } of plans) {
    const { client, path, backup } = change.report;
    const edit = EDITS[client];
    const isAsLeft = edit(edit(saved.toString(), { command: '', args: [] }), null) === change.text;
    const mode = (await files.mode(path)) ?? FILE_MODE;
    if (isAsLeft && saved.length === 0) await files.removeFile(path);
    else if (change.before !== null)
      await files.write(path, isAsLeft ? saved : Buffer.from(change.text), mode);
    await files.removeFile(backup);
  }
  return plans.map(({ change }) => change.report.path);
}
