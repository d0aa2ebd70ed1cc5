/** The key of `_meta` under which a widget finds the texts of its result, where its host hands it none. */
export const WIDGET_TEXTS = 'spillway/texts';
