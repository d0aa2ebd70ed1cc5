import { ACCNAME, ARIA, HTML_AAM, type Difference } from './differences.ts';

const SHADOW = 'https://github.com/eps1lon/dom-accessibility-api#missing';

export const LIBRARY_DIFFERENCES: readonly Difference[] = [
  {
    why: 'The library has no role for many elements and input types.',
    spec: `${HTML_AAM}#html-element-role-mappings`,
    when: ({ of, theirs }) => of === 'role' && theirs === '',
  },
  {
    why: 'The library gives these elements their roles regardless of their place and name.',
    spec: `${HTML_AAM}#html-element-role-mappings`,
    when: ({ of, tag }) => of === 'role' && /^(?:section|header|footer|aside|th|td|tr|li|summary)$/.test(tag),
  },
  {
    why: 'A legend has no role.',
    spec: `${HTML_AAM}#el-legend`,
    when: ({ tag }) => tag === 'legend',
  },
  {
    why: 'A form or region without a name is not a landmark when a role made it one.',
    spec: 'https://www.w3.org/TR/wai-aria-1.3/#form',
    at: ['roles given: form and region without a name', 'names from content: region is not named'],
  },
  {
    why: 'The library reads the first word of a role attribute unchanged.',
    spec: `${ARIA}#host_general_role`,
    at: [
      'roles given: first known role counts',
      'roles given: upper case',
      'roles given: unknown alone',
      'roles given: abstract role',
    ],
  },
  {
    why: 'The library does not see that an element keeps its role by the focus, or that aria-hidden=false says nothing.',
    spec: `${ARIA}#conflict_resolution_presentation_none`,
    at: [
      'role none and its conflicts: focusable button keeps its role',
      'role none and its conflicts: link keeps its role',
      'role none and its conflicts: focusable by tabindex keeps its role',
      'role none and its conflicts: contenteditable keeps its role',
      'role none and its conflicts: aria-hidden=false does not',
      'role none on what can have the focus: summary of details',
      'role none on what can have the focus: a frame with a title',
      'role none on what can have the focus: picture that is tabbable',
      'role none on what can have the focus: picture that only scripts focus',
      'role none on what can have the focus: row and cell',
      'role none on what can have the focus: editable as plain text',
    ],
  },
  {
    why: 'A name that the role prohibits is not a name.',
    spec: `${ARIA}#prohibitedattributes`,
    at: ['role none and its conflicts: label on a paragraph does not', 'tables: caption is the name'],
  },
  {
    why: 'Browsers still give a generic element its label, as the author intended.',
    spec: `${ARIA}#generic`,
    at: ['roles given: generic on a button'],
  },
  {
    why: 'A picture with a title is not a decoration.',
    spec: `${HTML_AAM}#img-element-accessible-name-computation`,
    at: ['pictures and media: img with empty alt and a title'],
  },
  {
    why: 'The library looks at the list attribute, not at the list.',
    spec: `${HTML_AAM}#el-input-textetc-autocomplete`,
    at: ['widgets: input whose list is missing', 'widgets: input whose list is not a list'],
  },
  {
    why: 'The library does not know areas of a picture.',
    spec: `${HTML_AAM}#area-element-accessible-name-computation`,
    at: ['pictures and media: area with an address'],
  },
  {
    why: 'A layout table has no rows and cells.',
    spec: `${ARIA}#presentational-role-inheritance`,
    at: [
      'tables: presentational table',
      'role none on what can have the focus: cell of a table that lays out',
      'cells of grids: row without its role',
      'cells of grids: body without its role',
    ],
  },
  {
    why: 'Only the summary of a details element is a button.',
    spec: `${HTML_AAM}#el-summary`,
    at: ['widgets: summary without details'],
  },
  {
    why: 'Chromium’s word for the default is what a person sees.',
    spec: `${HTML_AAM}#input-type-image-accessible-name-computation`,
    at: ['widgets: inputs with defaults as buttons'],
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
    why: 'A reference to an element without text leaves the naming to what comes next.',
    spec: `${ACCNAME}#comp_labelledby`,
    at: ['aria-labelledby: element without text'],
  },
  {
    why: 'What is hidden inside a hidden reference counts; a hidden label or legend names.',
    spec: `${ACCNAME}#comp_hidden_not_referenced`,
    at: [
      'aria-labelledby: hidden parts of a hidden target',
      'labels of controls: hidden label',
      'labels of controls: label with aria-hidden',
      'legend, caption, figcaption: hidden legend',
    ],
  },
  {
    why: 'Ids are separated by any white space.',
    spec: 'https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#space-separated-tokens',
    at: ['aria-labelledby: white space of any kind between ids'],
  },
  {
    why: 'A combobox without chosen options says its text.',
    spec: `${ACCNAME}#comp_embedded_control`,
    at: ['labels of controls: a custom combobox in a label'],
  },
  {
    why: 'An empty label leaves the naming to what comes next.',
    spec: `${HTML_AAM}#accessible-name-computations-by-html-element`,
    at: [
      'labels of controls: empty label and a title',
      'labels of controls: empty label and a placeholder',
      'legend, caption, figcaption: empty legend and a title',
    ],
  },
  {
    why: 'Labels come before the value of a button.',
    spec: `${HTML_AAM}#input-type-button-input-type-submit-and-input-type-reset-accessible-name-computation`,
    at: ['labels of controls: of a submit button'],
  },
  {
    why: 'The label of an option is what a person sees.',
    spec: 'https://html.spec.whatwg.org/multipage/form-elements.html#attr-option-label',
    at: ['legend, caption, figcaption: option label'],
  },
  {
    why: 'A placeholder is the last resort of a field.',
    spec: `${HTML_AAM}#accessible-name-computations-by-html-element`,
    at: [
      'title and placeholder: placeholder',
      'title and placeholder: placeholder of a textarea',
      'title and placeholder: empty title and a placeholder',
      'title and placeholder: blank title and a placeholder',
      'title and placeholder: aria-placeholder',
    ],
  },
  {
    why: 'A tooltip names a part of a link too.',
    spec: `${ACCNAME}#comp_tooltip`,
    at: [
      'title and placeholder: title of a span inside a link',
      'title and placeholder: title of an image inside a link',
      'names from content: iframe inside a link',
    ],
  },
  {
    why: 'Line breaks and pictures part words.',
    spec: `${ACCNAME}#comp_name_from_content`,
    at: [
      'names from content: line break',
      'names from content: image next to text without a space',
      'decorations part no words: a picture parts them',
    ],
  },
  {
    why: 'The items below a tree item have names of their own.',
    spec: 'https://www.w3.org/WAI/ARIA/apg/patterns/treeview/',
    at: ['names from content: tree item with a group'],
  },
  {
    why: 'What is visible inside something invisible is seen.',
    spec: 'https://www.w3.org/TR/css-display-4/#visibility',
    at: ['names from content: visible content of what is invisible'],
  },
  {
    why: 'What is not rendered says nothing.',
    spec: `${ACCNAME}#comp_hidden_not_referenced`,
    at: [
      'names from content: noscript and template',
      'names from content: details closed inside a button',
      'names from content: content-visibility: hidden',
      'generated content: that is hidden',
      'generated content: that is invisible',
    ],
  },
  {
    why: 'The library knows generated strings, and neither quotes, counters nor alternative text.',
    spec: 'https://www.w3.org/TR/css-content-3/#alt',
    at: [
      'names from content: q has quotes',
      'generated content: with alternative text',
      'generated content: with empty alternative text',
      'generated content: a counter',
      'generated content: quotes',
    ],
  },
  {
    why: 'A sign of an icon font has no meaning that could be read.',
    spec: 'https://www.unicode.org/faq/private_use.html',
    at: ['generated content: an icon font'],
  },
  {
    why: 'The library does not enter shadow trees.',
    spec: SHADOW,
    when: ({ at, of }) => of === 'name' && at.startsWith('shadow trees and slots: '),
  },
  {
    why: 'Chromium names a term by its content, and of all rows those of a grid alone.',
    spec: `${ARIA}#namefromcontent`,
    at: [
      'text-level elements: dfn',
      'lists and definitions: dl',
      'roles given: definition and term',
      'names from content: definition and term',
      'rows and terms: terms and definitions',
      'tables: rows and cells',
      'tables: table by roles',
      'rows and terms: row of a table',
    ],
  },
  {
    why: 'What a reference names counts again, as in Chromium.',
    spec: `${ACCNAME}#comp_labelledby`,
    at: [
      'aria-labelledby: twice the same',
      'references that count again: the same twice',
      'references that count again: in a row',
    ],
  },
  {
    why: 'The library reads the titles of whole drawings alone.',
    spec: 'https://www.w3.org/TR/svg-aam-1.0/#mapping_additional_nd',
    at: [
      'parts of drawings: shapes with a title',
      'parts of drawings: groups',
      'parts of drawings: pictures',
      'more parts of drawings: group of role img',
      'more parts of drawings: link of the older kind',
      'more parts of drawings: use with a title',
    ],
  },
  {
    why: 'The library does not know references that a script sets.',
    spec: 'https://html.spec.whatwg.org/multipage/common-dom-interfaces.html#reflecting-content-attributes-in-idl-attributes:element',
    at: [
      'references that count again: set by script',
      'references that count again: set by script into another tree',
      'references set by script: over a label',
      'references set by script: over the label of a field',
      'references set by script: several',
      'references set by script: on a region',
      'references set by script: on a role that is taken away',
      'references set by script: to a part that is hidden',
      'references set by script: to a field',
      'references set by script: on a table and a drawing',
    ],
  },
];
