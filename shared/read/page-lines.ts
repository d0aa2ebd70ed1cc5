/** `e13` for an element, `e13..` for the rest of its page, `e13..e5` for the rest of e5; `+2` leaves two lines out. */
export const REF_RANGE = /^((?:f\d+)*e\d+)(?:(?:\+(\d+))?(\.\.)((?:f\d+)*e\d+)?)?$/;

/** Roles that a line of a page names in front of an element's name. A line without one is a link. */
export const PAGE_ROLES: ReadonlySet<string> = new Set(
  (
    'article button cell checkbox color columnheader combobox date datetime dialog figure file grid gridcell group heading ' +
    'iframe img list listbox listitem menu menuitem menuitemcheckbox menuitemradio meter month navigation option password ' +
    'progressbar radio radiogroup region row rowheader scrollbar searchbox separator slider spinbutton status switch tab ' +
    'table tablist tabpanel text textbox time toolbar tree treeitem week'
  ).split(' '),
);
