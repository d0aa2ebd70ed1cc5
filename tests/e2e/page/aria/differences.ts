import type { Comparison } from './vocabulary.ts';

/** A difference that is right, or a matter of words; anything that no row names is a bug of ours. */
export interface Difference {
  readonly why: string;
  /** Where it is specified. */
  readonly spec: string;
  /** Cases that differ for this reason; each of them has to. */
  readonly at?: readonly string[];
  /** Or a rule about the elements that differ. */
  readonly when?: (found: Comparison) => boolean;
}

export const ACCNAME = 'https://www.w3.org/TR/accname-1.2/';
export const ARIA = 'https://www.w3.org/TR/wai-aria-1.2/';
export const HTML_AAM = 'https://www.w3.org/TR/html-aam-1.0/';

export const CHROMIUM_DIFFERENCES: readonly Difference[] = [
  {
    why: 'A header or footer inside a region is not a landmark of the page, whatever made it a region.',
    spec: `${HTML_AAM}#el-header`,
    at: ['landmarks inside sections: of a region by role'],
  },
  {
    why: 'Only fields of text become comboboxes by a list.',
    spec: `${HTML_AAM}#el-input-number`,
    at: ['widgets: number with a list'],
  },
  {
    why: 'Chromium shows a file field as the button in it; we say what it is for.',
    spec: `${HTML_AAM}#el-input-file`,
    at: ['widgets: inputs that are not text', 'labels of controls: of a file field'],
  },
  {
    why: 'A person types into it, so we call it a text box.',
    spec: `${HTML_AAM}#att-contenteditable`,
    at: ['widgets: contenteditable'],
  },
  {
    why: 'A deprecated role that we still name.',
    spec: `${ARIA}#directory`,
    at: ['roles given: directory is a list'],
  },
  {
    why: 'Chromium leaves out a table body that says nothing.',
    spec: `${HTML_AAM}#el-tbody`,
    at: ['tables: rows and cells'],
  },
  {
    why: 'A name that the role prohibits is not a reason to keep the role.',
    spec: `${ARIA}#conflict_resolution_presentation_none`,
    at: ['role none and its conflicts: label on a paragraph does not'],
  },
  {
    why: 'A label says what an item is, though its list has lost its role.',
    spec: `${ARIA}#presentational-role-inheritance`,
    at: ['role none on what can have the focus: items of a list without its role'],
  },
  {
    why: 'An empty title says nothing of a part of a drawing.',
    spec: 'https://www.w3.org/TR/svg-aam-1.0/#include_elements',
    at: ['more parts of drawings: shape with an empty title'],
  },
  {
    why: 'A figure is named by its caption.',
    spec: `${HTML_AAM}#figure-element-accessible-name-computation`,
    at: [
      'blocks and sections: figure with a caption',
      'legend, caption, figcaption: figcaption',
      'legend, caption, figcaption: figcaption and a title',
    ],
  },
  {
    why: 'The content of a link counts, a figure and a formula too.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: ['names from content: link with a figure', 'names from content: math inside a link'],
  },
  {
    why: 'A title names a picture whose alternative text is empty.',
    spec: `${HTML_AAM}#img-element-accessible-name-computation`,
    at: ['pictures and media: img with empty alt and a title'],
  },
  {
    why: 'The text of Chromium’s own player is not a name.',
    spec: `${HTML_AAM}#el-video`,
    at: ['pictures and media: video and audio'],
  },
  {
    why: 'The content of a heading is its name, also while it is edited.',
    spec: `${ARIA}#heading`,
    at: [
      'role none and its conflicts: contenteditable keeps its role',
      'role none on what can have the focus: editable as plain text',
    ],
  },
  {
    why: 'A hidden label still names its control, and a hidden legend its group.',
    spec: `${ACCNAME}#comp_hidden_not_referenced`,
    at: [
      'labels of controls: hidden label',
      'labels of controls: label with aria-hidden',
      'legend, caption, figcaption: hidden legend',
    ],
  },
  {
    why: 'An empty label leaves the naming to what comes next.',
    spec: `${HTML_AAM}#input-type-text-input-type-password-input-type-number-input-type-search-input-type-tel-input-type-email-input-type-url-and-textarea-element-accessible-name-computation`,
    at: [
      'labels of controls: empty label and a title',
      'labels of controls: empty label and a placeholder',
      'legend, caption, figcaption: empty legend and a title',
    ],
  },
  {
    why: 'A tooltip names what nothing else does, a part of a link too.',
    spec: `${ACCNAME}#comp_tooltip`,
    at: ['title and placeholder: title of a div', 'title and placeholder: title of a span inside a link'],
  },
  {
    why: 'Inline elements and slots do not part words.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: ['names from content: button inside a label inside a button', 'shadow trees and slots: slotted text'],
  },
  {
    why: 'The reading of a word is visible, and written next to it.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: ['names from content: ruby'],
  },
  {
    why: 'A sign of an icon font has no meaning that could be read.',
    spec: 'https://www.unicode.org/faq/private_use.html',
    at: ['generated content: an icon font'],
  },
];
