import { KEY, settingOf, show } from './apply.ts';

/*
 * A classic script in the head of each page, which runs before anything is painted: modules run later, and `storage.local`
 * answers later still, so the page would flash in the other theme.
 */
show(settingOf(localStorage.getItem(KEY)));
