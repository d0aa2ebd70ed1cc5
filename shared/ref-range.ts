/** `e13` for an element, `e13..` for the rest of its page, `e13..e5` for the rest of e5; `+2` leaves two lines out. */
export const REF_RANGE = /^((?:f\d+)*e\d+)(?:(?:\+(\d+))?(\.\.)((?:f\d+)*e\d+)?)?$/;
