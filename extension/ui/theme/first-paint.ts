import { KEY, settingOf, show } from './apply.ts';

/*
 * A classic script in the head of each page, which runs before the first paint: modules and `storage.local` come later,
 * and the page would flash in the other theme.
 */
show(settingOf(localStorage.getItem(KEY)));
