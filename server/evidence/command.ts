import { invalidArgument } from '../../shared/base/errors.ts';
import { type Manifest, publicKeyOf } from './manifest.ts';
import { certificatesOf, type TimeStamp } from '../libraries/evidence-format/timestamp.ts';
import { verifyBundle, type Verification } from './verify.ts';
import { readGiven } from '../core/machine/given-file.ts';
import { alignColumns, plain, printReport, styleOf, type CommandIo, type Style } from '../core/command-io.ts';

/** Flags of `spillway verify-bundle`. */
export interface VerifyBundleOptions {
  readonly file: string;
  readonly sha256?: string | undefined;
  /** PEM file of the public key that must have signed it. */
  readonly publicKey?: string | undefined;
  /** PEM file of the certificates to which its time stamp's authority must lead. */
  readonly timestampCa?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `spillway verify-bundle FILE`: checks a bundle and reports its contents. Resolves to the exit code: 0 only
 * if every check passes.
 * @throws SpillwayError `invalid_argument` if the file cannot be read
 */
export async function runVerifyBundle(options: VerifyBundleOptions, io: CommandIo): Promise<number> {
  const wanted = options.sha256?.trim().toLowerCase();
  if (wanted !== undefined && !/^[0-9a-f]{64}$/.test(wanted))
    throw invalidArgument('--sha256: takes 64 hexadecimal digits.');
  const { file, publicKey, timestampCa } = options;
  const expected = {
    key: readPem(publicKey, '--public-key', 'public key', publicKeyOf),
    timestampAnchors: readPem(timestampCa, '--timestamp-ca', 'certificate', certificatesOf),
  };
  const verified = await verifyBundle(file, expected);
  const isOther = wanted !== undefined && wanted !== verified.sha256;
  const problems = [...verified.problems, ...(isOther ? [`the file's SHA-256 is not ${wanted}`] : [])];
  const found = { ...verified, ok: verified.ok && !isOther, problems };
  printReport(io, options, found, () => format(found, styleOf(io)));
  return found.ok ? 0 : 1;
}

const PEM_MAX_BYTES = 1_024 * 1_024;

/** Null without the option. */
function readPem<T>(
  path: string | undefined,
  option: string,
  what: string,
  parse: (pem: string) => T | null,
): T | null {
  if (path === undefined) return null;
  const read = parse(readGiven({ flag: option, path, maxBytes: PEM_MAX_BYTES, isSecret: false }));
  if (read === null) throw invalidArgument(`${option}: ${path} contains no ${what} in PEM.`);
  return read;
}

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;
const time = (iso: string): string => iso.replace('T', ' ').replace('Z', ' UTC');

function format(found: Verification, style: Style): string {
  const { manifest } = found;
  const lines = [
    `  ${plain(found.file)}, ${bytes(found.size_bytes)}`,
    `  SHA-256 ${found.sha256}`,
    ...(manifest === null ? [] : ['', ...about(manifest, style)]),
    ...(found.signature === null
      ? []
      : ['', `  Signed with ${found.signature.algorithm}, SHA-256 of the key ${found.signature.key_sha256}`]),
    ...(found.timestamp === null ? [] : ['', ...aboutStamp(found.timestamp)]),
    // The parts list of an altered bundle proves nothing.
    ...(manifest === null || !found.ok
      ? []
      : ['', ...partLines(manifest, style), ...remarks(manifest, style)]),
    '',
    ...verdict(found, style),
  ];
  return `${lines.join('\n')}\n`;
}

function about(manifest: Manifest, style: Style): string[] {
  const { versions, reload } = manifest;
  const rows = [
    ['Page', plain(manifest.url)],
    ['Title', plain(manifest.title)],
    ['Captured', `${time(manifest.created_at)}${reload === null ? '' : ', after a reload'}`],
    ...(manifest.captured_by === null ? [] : [['Person', plain(manifest.captured_by)]]),
    ...(manifest.case_reference === null ? [] : [['Case', plain(manifest.case_reference)]]),
    ['By', plain(`Spillway ${versions.server}, extension ${versions.extension}, ${versions.browser}`)],
  ];
  return alignColumns(rows).map((line) => `  ${style.faint(line.slice(0, 10))}${line.slice(10)}`);
}

function aboutStamp(stamp: TimeStamp): string[] {
  const within = stamp.accuracy_ms === null ? '' : `, to within ${stamp.accuracy_ms} ms`;
  const text = `  Time-stamped ${time(stamp.time)}${within}, by ${plain(stamp.authority)}`;
  if (stamp.is_trusted !== null) return [text];
  return [text, '  The authority was not verified: pass its certificate with --timestamp-ca.'];
}

function partLines(manifest: Manifest, style: Style): string[] {
  const sizes = manifest.parts.map((part) => bytes(part.size_bytes));
  const width = Math.max(...sizes.map((size) => size.length));
  const rows = manifest.parts.map((part, at) => [
    part.name,
    plain(part.type),
    (sizes[at] ?? '').padStart(width),
    time(part.captured_at).slice(11, 23),
  ]);
  return alignColumns(rows).map((line) => `  ${style.good('✓')} ${line}`);
}

function remarks(manifest: Manifest, style: Style): string[] {
  const failed = manifest.failed.map(
    ({ part, code, message }) =>
      `  ${style.caution('!')} ${part} was not captured: ${plain(message)} (${code})`,
  );
  const { enabled, secrets, not_redacted: pictures } = manifest.redaction;
  const counts = Object.entries(secrets).map(([rule, count]) => `${count} ${plain(rule)}`);
  const found = `Redacted: ${counts.length === 0 ? 'nothing was found' : counts.join(', ')}.`;
  // Values of --secrets are redacted in any case.
  const what = counts.length === 0 ? 'Nothing' : 'Nothing else';
  const open = `${what} was redacted: the server ran with --no-sanitize-content.`;
  const summary = enabled ? found : [...(counts.length === 0 ? [] : [found]), open].join(' ');
  return [
    ...(failed.length === 0 ? [] : ['', ...failed]),
    '',
    `  ${summary}${enabled && pictures.length > 0 ? ` Images cannot be redacted: ${pictures.join(', ')}.` : ''}`,
  ];
}

function verdict({ ok, problems, manifest, signature }: Verification, style: Style): string[] {
  if (ok)
    return [
      style.good(`The bundle is intact: ${manifest?.parts.length ?? 0} parts, every byte unchanged.`),
      style.faint(
        signature?.is_expected === true
          ? 'It is signed with the given key.'
          : 'This proves that nothing changed since it was packed, not who packed it: compare the SHA-256 for that.',
      ),
    ];
  return [
    style.bad('The bundle is not intact:'),
    ...problems.map((problem) => `  ${style.bad('✗')} ${plain(problem)}`),
  ];
}
