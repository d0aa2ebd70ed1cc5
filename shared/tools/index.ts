import type { z } from 'zod';
import { consoleTool } from './console/manifest.ts';
import { crawl } from './crawl/manifest.ts';
import { docsFetch, docsSearch } from './docs/manifest.ts';
import { extractData } from './extract_data/manifest.ts';
import { findTools } from './find_tools/manifest.ts';
import { htmlSkeleton } from './html_skeleton/manifest.ts';
import { navigate } from './navigate/manifest.ts';
import { network } from './network/manifest.ts';
import { ocConnectionHealth } from './oc_connection_health/manifest.ts';
import { ocEvidenceBundle } from './oc_evidence_bundle/manifest.ts';
import { ocJournal } from './oc_journal/manifest.ts';
import { ocOutputFetch } from './oc_output_fetch/manifest.ts';
import { readPage } from './read_page/manifest.ts';
import { runCancel, runList, runLog, runOutput, runResume, runStatus } from './runs/manifest.ts';
import { screenshot } from './screenshot/manifest.ts';
import { tabs } from './tabs/manifest.ts';

/** Every tool there is. Adding one is adding its folders and one line here. */
export const MANIFESTS = [
  tabs,
  navigate,
  readPage,
  network,
  crawl,
  extractData,
  ocEvidenceBundle,
  ocOutputFetch,
  ocJournal,
  ocConnectionHealth,
  runStatus,
  runOutput,
  findTools,
  runCancel,
  runResume,
  runList,
  runLog,
  consoleTool,
  screenshot,
  docsSearch,
  docsFetch,
  htmlSkeleton,
] as const;

export type ToolName = (typeof MANIFESTS)[number]['name'];

/** The arguments of a tool as a caller writes them. */
export type ToolInput<Name extends ToolName> = z.input<
  Extract<(typeof MANIFESTS)[number], { name: Name }>['input']
>;
