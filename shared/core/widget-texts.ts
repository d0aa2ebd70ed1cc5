/** The key of `_meta` under which a widget finds its result's texts, if its host does not pass them. */
export const WIDGET_TEXTS = 'spillway/texts';
