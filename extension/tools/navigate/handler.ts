import type { Handler } from '../../background/handler.ts';
import { navigateTab } from '../../background/navigation/navigate-tab.ts';

/** `page.navigate`: see {@link navigateTab} for what it throws. */
export const navigate: Handler<'page.navigate'> = (params, { signal }) => navigateTab(params, signal);
