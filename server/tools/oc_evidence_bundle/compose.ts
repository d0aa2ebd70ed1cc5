import type { TabInfo } from '../../../shared/bridge/tab.ts';
import type { BrowserId } from '../../core/services.ts';
import { clean, type CleanText } from '../../redact/clean.ts';
import { countsOf, type CapturedPart, type LostPart } from './capture.ts';
import { FORMAT, FORMAT_VERSION, hashOfParts, type Manifest } from './manifest.ts';
import { addReports } from './redaction.ts';
import type { EvidenceServices } from './sources.ts';

/** What the caller says of a bundle. */
export type Labels = Pick<Manifest, 'captured_by' | 'case_reference'>;

/** Everything that was captured, before it is packed. */
export interface Bundle {
  /** `b1:42` */
  readonly tab: string;
  readonly browser: BrowserId;
  /** As the caller said it; not redacted yet. */
  readonly labels: Labels;
  /** As it was when the first part was captured. */
  readonly page: TabInfo;
  readonly reload: Manifest['reload'];
  /** Wall clock. */
  readonly createdAt: number;
  /** In the order of their capture; at least one. */
  readonly captured: readonly CapturedPart[];
  readonly lost: readonly LostPart[];
}

/** A manifest whose texts of the page and of failures are clean. */
export type CleanManifest = Manifest & {
  readonly url: CleanText;
  readonly title: CleanText;
  readonly captured_by: CleanText | null;
  readonly case_reference: CleanText | null;
  readonly reload: { readonly error: CleanText | null } | null;
  readonly parts: { readonly notes: CleanText[] }[];
  readonly failed: { readonly message: CleanText }[];
};

/** The manifest of a bundle; what comes from the page is redacted. */
export function composeManifest(
  { bridge, redactor, version }: EvidenceServices,
  bundle: Bundle,
): CleanManifest {
  const { captured, lost } = bundle;
  const browser = bridge.browsers().find(({ id }) => id === bundle.browser);
  const { page, labels, reload, notes, messages } = redactor.value({
    page: { url: bundle.page.url, title: bundle.page.title },
    labels: bundle.labels,
    reload: { error: bundle.reload?.error ?? null },
    notes: captured.map(({ entry }) => entry.notes),
    messages: lost.map(({ entry }) => entry.message),
  });
  const parts = captured.map(({ entry }, at) => ({ ...entry, notes: [...(notes[at] ?? [])] }));
  const failed = lost.map(({ entry }, at) => ({ ...entry, message: messages[at] ?? clean`` }));
  const reports = captured.flatMap(({ report }) => (report === null ? [] : [report]));
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    created_at: new Date(bundle.createdAt).toISOString(),
    tab: bundle.tab,
    url: page.url,
    title: page.title,
    captured_by: labels.captured_by,
    case_reference: labels.case_reference,
    reload: bundle.reload && { ...bundle.reload, ...reload },
    versions: {
      server: version,
      extension: browser?.extensionVersion ?? 'unknown',
      host: browser?.hostVersion ?? 'unknown',
      browser: browser === undefined ? 'unknown' : `${browser.facts.name} ${browser.facts.version}`,
      wire: browser?.wire ?? 0,
    },
    parts,
    failed,
    redaction: {
      enabled: redactor.enabled,
      ...countsOf(addReports(reports)),
      not_redacted: parts.filter(({ redacted }) => redacted === null).map(({ name }) => name),
    },
    parts_sha256: hashOfParts(parts),
  };
}
