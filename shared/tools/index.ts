import { navigate } from './navigate/manifest.ts';
import { ocConnectionHealth } from './oc_connection_health/manifest.ts';
import { ocJournal } from './oc_journal/manifest.ts';
import { ocOutputFetch } from './oc_output_fetch/manifest.ts';
import { readPage } from './read_page/manifest.ts';
import { tabs } from './tabs/manifest.ts';

/** Every tool there is. Adding one is adding its folders and one line here. */
export const MANIFESTS = [tabs, navigate, readPage, ocOutputFetch, ocJournal, ocConnectionHealth] as const;

export type ToolName = (typeof MANIFESTS)[number]['name'];
