/** A difference that is right, or a matter of words; anything that no row names is a bug of ours. */
interface Difference {
  readonly why: string;
  /** Where it is specified. */
  readonly spec: string;
  /** Cases that differ for this reason; each of them has to. What we say of their elements: role and name. */
  readonly at: Readonly<Record<string, readonly string[]>>;
}

const ACCNAME = 'https://www.w3.org/TR/accname-1.2/';
const ARIA = 'https://www.w3.org/TR/wai-aria-1.2/';
const HTML_AAM = 'https://www.w3.org/TR/html-aam-1.0/';

export const CHROMIUM_DIFFERENCES: readonly Difference[] = [
  {
    why: 'A header or footer inside a region is not a landmark of the page, whatever made it a region.',
    spec: `${HTML_AAM}#el-header`,
    at: { 'landmarks inside sections: of a region by role': ['""'] },
  },
  {
    why: 'Only fields of text become comboboxes by a list.',
    spec: `${HTML_AAM}#el-input-number`,
    at: { 'widgets: number with a list': ['spinbutton "a"'] },
  },
  {
    why: 'Chromium shows a file field as the button in it; we say what it is for.',
    spec: `${HTML_AAM}#el-input-file`,
    at: {
      'widgets: inputs that are not text': [
        'checkbox "a"',
        'radio "b"',
        'slider "c"',
        'spinbutton "d"',
        'color "e"',
        'file "f"',
      ],
      'labels of controls: of a file field': ['file "Photo"'],
    },
  },
  {
    why: 'A person types into it, so we call it a text box.',
    spec: `${HTML_AAM}#att-contenteditable`,
    at: { 'widgets: contenteditable': ['textbox "Note"'] },
  },
  {
    why: 'A deprecated role that we still name.',
    spec: `${ARIA}#directory`,
    at: { 'roles given: directory is a list': ['directory ""'] },
  },
  {
    why: 'Chromium leaves out a table body that says nothing.',
    spec: `${HTML_AAM}#el-tbody`,
    at: {
      'tables: rows and cells': [
        'table ""',
        'rowgroup ""',
        'row ""',
        'columnheader "Name"',
        'columnheader "Age"',
        'rowgroup ""',
        'cell "Ann"',
        'cell "3"',
        'rowgroup ""',
      ],
    },
  },
  {
    why: 'A name that the role prohibits is not a reason to keep the role.',
    spec: `${ARIA}#conflict_resolution_presentation_none`,
    at: { 'role none and its conflicts: label on a paragraph does not': ['none ""'] },
  },
  {
    why: 'A label says what an item is, though its list has lost its role.',
    spec: `${ARIA}#presentational-role-inheritance`,
    at: { 'role none on what can have the focus: items of a list without its role': ['""', '"B"'] },
  },
  {
    why: 'An empty title says nothing of a part of a drawing.',
    spec: 'https://www.w3.org/TR/svg-aam-1.0/#include_elements',
    at: { 'more parts of drawings: shape with an empty title': ['""'] },
  },
  {
    why: 'A figure is named by its caption.',
    spec: `${HTML_AAM}#figure-element-accessible-name-computation`,
    at: {
      'blocks and sections: figure with a caption': ['figure "A mill"', '""'],
      'legend, caption, figcaption: figcaption': ['figure "A mill"'],
      'legend, caption, figcaption: figcaption and a title': ['figure "A mill"'],
    },
  },
  {
    why: 'The content of a link counts, a figure and a formula too.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: {
      'names from content: link with a figure': ['link "Mill A mill"'],
      'names from content: math inside a link': ['link "x"'],
    },
  },
  {
    why: 'A title names a picture whose alternative text is empty.',
    spec: `${HTML_AAM}#img-element-accessible-name-computation`,
    at: { 'pictures and media: img with empty alt and a title': ['img "Mill"'] },
  },
  {
    why: 'The text of Chromium’s own player is not a name.',
    spec: `${HTML_AAM}#el-video`,
    at: { 'pictures and media: video and audio': ['"Film"', '""'] },
  },
  {
    why: 'The content of a heading is its name, also while it is edited.',
    spec: `${ARIA}#heading`,
    at: {
      'role none and its conflicts: contenteditable keeps its role': ['heading "Title"'],
      'role none on what can have the focus: editable as plain text': ['heading "x"'],
    },
  },
  {
    why: 'A hidden label still names its control, and a hidden legend its group.',
    spec: `${ACCNAME}#comp_hidden_not_referenced`,
    at: {
      'labels of controls: hidden label': ['textbox "Hidden"'],
      'labels of controls: label with aria-hidden': ['textbox "Hidden"'],
      'legend, caption, figcaption: hidden legend': ['group "Hidden"'],
    },
  },
  {
    why: 'An empty label leaves the naming to what comes next.',
    spec: `${HTML_AAM}#input-type-text-input-type-password-input-type-number-input-type-search-input-type-tel-input-type-email-input-type-url-and-textarea-element-accessible-name-computation`,
    at: {
      'labels of controls: empty label and a title': ['textbox "Hint"'],
      'labels of controls: empty label and a placeholder': ['textbox "Type"'],
      'legend, caption, figcaption: empty legend and a title': ['group "Hint"'],
    },
  },
  {
    why: 'A tooltip names what nothing else does, a part of a link too.',
    spec: `${ACCNAME}#comp_tooltip`,
    at: {
      'title and placeholder: title of a div': ['"Hint"'],
      'title and placeholder: title of a span inside a link': ['link "Hint"'],
    },
  },
  {
    why: 'Inline elements and slots do not part words.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: {
      'names from content: button inside a label inside a button': ['button "OneTwo"'],
      'shadow trees and slots: slotted text': ['button "Say hello!"'],
    },
  },
  {
    why: 'The reading of a word is visible, and written next to it.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: { 'names from content: ruby': ['button "漢 kan"'] },
  },
  {
    why: 'A sign of an icon font has no meaning that could be read.',
    spec: 'https://www.unicode.org/faq/private_use.html',
    at: { 'generated content: an icon font': ['button "Like"'] },
  },
];
