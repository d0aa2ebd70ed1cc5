/**
 * Where we differ from Chromium on purpose. Any difference that is not listed is a bug of ours. A
 * line with a `#` is the reason and where it is specified (below https://www.w3.org/TR/). A page of `fixtures/cases/dom` is named, and then what we say of its elements: role and name.
 */
export const CHROMIUM_DIFFERENCES = `
# A header or footer inside a region is not a landmark of the page, whatever made it a region. html-aam-1.0/#el-header
landmarks-inside-sections--of-a-region-by-role ¦ ""
# Only fields of text become comboboxes by a list. html-aam-1.0/#el-input-number
widgets--number-with-a-list ¦ spinbutton "a"
# Chromium shows a file field as the button in it; we say what it is for. html-aam-1.0/#el-input-file
widgets--inputs-that-are-not-text ¦ checkbox "a" ¦ radio "b" ¦ slider "c" ¦ spinbutton "d" ¦ color "e" ¦ file "f"
labels-of-controls--of-a-file-field ¦ file "Photo"
# A person types into it, so we call it a text box. html-aam-1.0/#att-contenteditable
widgets--contenteditable ¦ textbox "Note"
# A deprecated role that we still name. wai-aria-1.2/#directory
roles-given--directory-is-a-list ¦ directory ""
# Chromium leaves out a table body that says nothing. html-aam-1.0/#el-tbody
tables--rows-and-cells ¦ table "" ¦ rowgroup "" ¦ row "" ¦ columnheader "Name" ¦ columnheader "Age" ¦ rowgroup "" ¦ cell "Ann" ¦ cell "3" ¦ rowgroup ""
# A name that the role prohibits is not a reason to keep the role. wai-aria-1.2/#conflict_resolution_presentation_none
role-none-and-its-conflicts--label-on-a-paragraph-does-not ¦ none ""
# A label says what an item is, though its list has lost its role. wai-aria-1.2/#presentational-role-inheritance
role-none-on-what-can-have-the-focus--items-of-a-list-without-its-role ¦ "" ¦ "B"
# An empty title says nothing of a part of a drawing. svg-aam-1.0/#include_elements
more-parts-of-drawings--shape-with-an-empty-title ¦ ""
# A figure is named by its caption. html-aam-1.0/#figure-element-accessible-name-computation
blocks-and-sections--figure-with-a-caption ¦ figure "A mill" ¦ ""
legend-caption-figcaption--figcaption-and-a-title ¦ figure "A mill"
# The content of a link counts, a figure and a formula too. accname-1.2/#comp_name_from_content
names-from-content--link-with-a-figure ¦ link "Mill A mill"
names-from-content--math-inside-a-link ¦ link "x"
# A title names a picture whose alternative text is empty. html-aam-1.0/#img-element-accessible-name-computation
pictures-and-media--img-with-empty-alt-and-a-title ¦ img "Mill"
# The text of Chromium’s own player is not a name. html-aam-1.0/#el-video
pictures-and-media--video-and-audio ¦ "Film" ¦ ""
# The content of a heading is its name, also while it is edited. wai-aria-1.2/#heading
role-none-and-its-conflicts--contenteditable-keeps-its-role ¦ heading "Title"
role-none-on-what-can-have-the-focus--editable-as-plain-text ¦ heading "x"
# A label that a person sees names its control, though it is hidden from assistive technology. accname-1.2/#comp_hidden_not_referenced
labels-of-controls--label-with-aria-hidden ¦ textbox "Hidden"
# Nobody sees what is transparent. accname-1.2/#comp_name_from_content
names-from-content--transparent-content ¦ button "One"
# Nor what is clipped away next to words.
names-from-content--screen-reader-text ¦ button "x"
# An empty label leaves the naming to what comes next. html-aam-1.0/#input-type-text-input-type-password-input-type-number-input-type-search-input-type-tel-input-type-email-input-type-url-and-textarea-element-accessible-name-computation
labels-of-controls--empty-label-and-a-title ¦ textbox "Hint"
labels-of-controls--empty-label-and-a-placeholder ¦ textbox "Type"
legend-caption-figcaption--empty-legend-and-a-title ¦ group "Hint"
# A tooltip names what nothing else does, a part of a link too. accname-1.2/#comp_tooltip
title-and-placeholder--title-of-a-div ¦ "Hint"
title-and-placeholder--title-of-a-span-inside-a-link ¦ link "Hint"
# Inline elements and slots do not part words. accname-1.2/#comp_name_from_content
names-from-content--button-inside-a-label-inside-a-button ¦ button "OneTwo"
shadow-trees-and-slots--slotted-text ¦ button "Say hello!"
# The reading of a word is visible, and written next to it. accname-1.2/#comp_name_from_content
names-from-content--ruby ¦ button "漢 kan"
# A sign of an icon font has no meaning that could be read. https://www.unicode.org/faq/private_use.html
generated-content--an-icon-font ¦ button "Like"
`;

/** Where a name differs from Chromium's on purpose, `*` for any text, and the name; an element's is in its case. */
export const MATRIX_DIFFERENCES = `
# An empty label leaves the naming to what comes next. html-aam-1.0/#accessible-name-and-description-computation
* by *, not by what is empty ¦ *
# A figure is named by its caption. html-aam-1.0/#figure-element-accessible-name-computation
figure by figcaption ¦ *
# The text of Chromium’s own player is not a name. html-aam-1.0/#el-video
audio controls by * ¦ *
video controls by * ¦ *
pictures and other content: video in * ¦ One x two
# A person sees what is visible again in what is not. accname-1.2/#comp_hidden_not_referenced
hidden: visible in what is invisible in * ¦ One y two
# Nobody sees what is clipped away next to words. accname-1.2/#comp_name_from_content
hidden: clipped in * ¦ One two
# A person sees the date. accname-1.2/#comp_embedded_control
controls: date in * ¦ One 2026-01-02 two
# The chosen options count, rendered or not, and no others. accname-1.2/#comp_embedded_control
controls: select of several in hidden reference ¦ One x y two
roles of controls: combobox with a list in hidden reference ¦ One x two
roles of controls: listbox in hidden reference ¦ One x two
roles of controls: listbox of several in hidden reference ¦ One x y two
roles of controls: listbox, nothing chosen in * ¦ One two
# A bar is read by its value. accname-1.2/#comp_embedded_control
controls: progress in hidden reference ¦ One 0.5 two
# Results, formulas, figures, fields and groups are content. accname-1.2/#comp_name_from_content
controls: output in * ¦ One x two
pictures and other content: math in * ¦ One x two
pictures and other content: figure in * ¦ One x y two
pictures and other content: fieldset in hidden reference ¦ One x y two
pictures and other content: group of a tree in * ¦ One x two
pictures and other content: live region in * ¦ One x two
# A tooltip names what nothing else does. accname-1.2/#comp_tooltip
pictures and other content: title of an empty span in * ¦ One y two
pictures and other content: frame in hidden reference ¦ One x two
# The reading of a word is visible, and written next to it. accname-1.2/#comp_name_from_content
pictures and other content: ruby in * ¦ One x y two
# Blocks of generated text are set apart; inline text, with an alternative too, is not. accname-1.2/#comp_name_from_content
generated: as a block in * ¦ One g x two
generated: alternative in * ¦ One gx two
# Owned elements are set apart. accname-1.2/#comp_name_from_content
owned: owned elsewhere in label ¦ One x owned two
owned: owned by what is empty in * ¦ One owned two
# Inline elements part no words, rendered or not. accname-1.2/#comp_name_from_content
hidden: aria-hidden of another value in hidden reference ¦ One xy two
references: another element, before it in hidden reference ¦ One zy two
references: another element, before it in * ¦ One zz two
references: another element, after it in hidden reference ¦ One yz two
references: a chain in hidden reference ¦ One y zw two
spaces: inline in hidden reference ¦ One axc two
spaces: contents in * ¦ One axc two
spaces: place to break in * ¦ One ac two
spaces: empty picture between in * ¦ One ac two
spaces: empty span between in hidden reference ¦ One ac two
# A formula is named by its author. wai-aria-1.2/#math
role math by content ¦ 
`;

/** The same for Firefox: a case, and of each element that differs what we say / what Firefox has. */
export const FIREFOX_DIFFERENCES = `
# Firefox has a role for an element wherever it is; a header in a region or an article is not a landmark of the page. html-aam-1.0/#el-header
landmarks-inside-sections--of-an-article-by-role ¦  / banner ""
landmarks-inside-sections--of-a-region-by-role ¦  / banner ""
# We keep the role of an element that has lost its parent: a person sees a list. html-aam-1.0/#el-li
lists-and-definitions--li-outside-of-a-list ¦ listitem / 
# Firefox has no role for a caption of a table. html-aam-1.0/#el-caption
tables--caption-is-the-name ¦ caption "" / 
# Firefox names no row of a grid, and takes its cells for those of a table. html-aam-1.0/#el-td-gridcell
tables--grid-and-treegrid ¦ row "x" / row "" ¦ row "x" / row "" ¦ gridcell "x" / cell "x"
# Cells part no words for us, as in Chromium. accname-1.2/#comp_name_from_content
names-from-content--row-of-roles ¦ row "ab" / row "a b"
# Firefox shows a player as the group of its buttons. html-aam-1.0/#el-video
pictures-and-media--video-and-audio ¦  / group "Film" ¦  / group ""
# Firefox shows a field of a colour or a file as the button in it; we say what it is for. html-aam-1.0/#el-input-file
widgets--inputs-that-are-not-text ¦  / button "e" ¦  / button "f Browse… No file selected."
labels-of-controls--of-a-file-field ¦  / button "Photo Browse… No file selected."
# A person types into it, so we call it a text box. html-aam-1.0/#att-contenteditable
widgets--contenteditable ¦ textbox "Note" / 
# A deprecated role that we still name. wai-aria-1.2/#directory
roles-given--directory-is-a-list ¦ directory "" / list ""
# A name that the role prohibits is not a reason to keep the role. wai-aria-1.2/#conflict_resolution_presentation_none
role-none-and-its-conflicts--label-on-a-paragraph-does-not ¦  / paragraph
# The misspelt attribute counts for Chromium and us.
aria-labelledby--misspelt-and-next-to-the-right-spelling ¦ button "One" / button "x"
# A field in a label parts its words. accname-1.2/#comp_embedded_control
labels-of-controls--text-around ¦ spinbutton "Every days" / spinbutton "Everydays"
# A label that a person sees names its control, though it is hidden from assistive technology. accname-1.2/#comp_hidden_not_referenced
labels-of-controls--label-with-aria-hidden ¦ textbox "Hidden" / textbox ""
# Nobody sees what is hidden. accname-1.2/#comp_hidden_not_referenced
legend-caption-figcaption--hidden-legend ¦ group "" / group "Hidden"
# The hint of an editable element is its name, as a field's is. accname-1.2/#comp_tooltip
title-and-placeholder--aria-placeholder ¦ textbox "Type" / textbox ""
# Nobody sees what is transparent, nor what is clipped away next to words. accname-1.2/#comp_name_from_content
names-from-content--transparent-content ¦ button "One" / button "One two"
names-from-content--screen-reader-text ¦ button "x" / button "x Close"
# The content of a link counts, a figure and a formula too. accname-1.2/#comp_name_from_content
names-from-content--link-with-a-figure ¦ link "Mill A mill" / link "A mill"
names-from-content--math-inside-a-link ¦ link "x" / link ""
# Inline elements part no words. accname-1.2/#comp_name_from_content
names-from-content--button-inside-a-label-inside-a-button ¦ button "OneTwo" / button "One Two"
# A sign of an icon font has no meaning that could be read. https://www.unicode.org/faq/private_use.html
generated-content--an-icon-font ¦ button "Like" / button "\ue001Like"
# The reading of a word is visible, and written next to it. accname-1.2/#comp_name_from_content
names-from-content--ruby ¦ button "漢 kan" / button "漢kan"
`;

/** Reads a table of differences: a page or pattern, and names, parted by ` ¦ `. A line that begins with `# ` says why. */
export const readDifferences = (
  table: string,
): { readonly title: string; readonly cells: readonly string[] }[] =>
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [title = '', ...cells] = line.split(/ ?¦ ?/);
      return { title, cells };
    });

/** Our own words for interactions without a precise ARIA role. */
const OWN_ROLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'none presentation generic iframe color date datetime month week file'
      .split(' ')
      .map((role) => [role, '']),
  ),
  image: 'img',
  password: 'textbox',
  summary: 'button',
};

/** The role of ARIA for ours. `time` is the role of the element, and our word for a field of that type. */
export const ariaRoleOf = (role: string, tag: string): string =>
  role === 'time' && tag === 'input' ? '' : (OWN_ROLES[role] ?? role);
