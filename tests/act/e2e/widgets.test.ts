import { sample } from '../../support/depth.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { actingRig } from './rig.ts';
import { PAGES } from './widget-pages.ts';

/* Miniature widgets in the style of libraries: one of each class. `widgets.deep.test.ts` has the libraries themselves. */

const rig = actingRig(async (name, query) => {
  if (name === 'later') await delay(Number(query.get('ms')));
  return PAGES[name] ?? null;
});

async function call(name: string, args: Record<string, unknown>) {
  const tab = await rig.open(name);
  const answer = await rig.server.call('interact', { tab, ...args });
  const tabs = (await rig.server.call('tabs', {})).json<{ tabs: { tab: string; title: string }[] }>();
  const reported = tabs.tabs.find((each) => each.tab === tab)?.title.replaceAll('··', '  ') ?? '';
  await rig.close(tab);
  return { reported, answer };
}

const SET: readonly [string, string, Record<string, unknown> | readonly string[], string][] = [
  ['an option of a combobox', 'combobox', { City: 'Bergen' }, 'City=Bergen'],
  ['the only option in which the text begins a word', 'combobox', { City: 'blue' }, 'City=Light blue'],
  ['several options of a combobox', 'several', { City: ['Berlin', 'Light blue'] }, 'City=Berlin,Light blue'],
  ['several options instead of others', 'chips', { Tags: ['Ulm, BW', 'Berlin'] }, 'Tags=Ulm, BW,Berlin'],
  ['one option instead of others', 'chips', { Tags: ['Cologne'] }, 'Tags=Cologne'],
  ['an option that is chosen', 'marked', { Plan: 'Free' }, '-'],
  ['an option that is chosen, without a mark', 'button', { Plan: 'Free' }, 'Plan=Free'],
  ['several options by keys', 'keyed', { Tags: ['Berlin', 'Cologne'] }, 'Tags=Berlin,Cologne'],
  ['a text and an option', 'keyed', { Tags: ['Berlin', 'Oslo'] }, 'Tags=Berlin,Oslo'],
  ['a radio input below another until the pointer is over it', 'stars', { Score: '2 stars' }, 'Score=2'],
  ['an option that its list loads at its end', 'parted', { City: 'Town 33' }, 'City=Town 33'],
  ['an option of a list that closes slowly', 'slowly', { City: 'Town 1' }, 'City=Town 1'],
  ['an option that is shown once it is saved', 'saved', { City: 'Town 1' }, 'City=Town 1'],
  ['a row without a role that has to be scrolled to', 'rows', { City: 'Town 47' }, 'City=Town 47'],
  ['a combobox by the placeholder over it', 'rows', { 'Choose a city': 'Town 2' }, 'City=Town 2'],
  ['a text field by the text in its row', 'drawnRows', { Team: 'Red' }, 'Team=Red'],
  ['a button that opens a list', 'button', { Plan: 'Team' }, 'Plan=Team'],
  ['a labelled button in a shadow tree', 'confirmed', { Fill: 'Red' }, 'Fill=Red'],
  ['an option that is offered once it is searched for', 'button', { Plan: 'Trial' }, 'Plan=Trial'],
  ['a group of radios by the text before it', 'radios', { Size: 'Large' }, 'Size=Large'],
  ['radio inputs by the text before them', 'radios', { Score: 2 }, 'Score=2'],
  ['a slider by keys', 'slider', { Volume: 435 }, 'Volume=435'],
  ['a mark between the steps of a slider', 'slider', { Volume: 26 }, 'Volume=26'],
  ['a slider that moves to the next mark', 'slider', { Speed: 37 }, 'Speed=37'],
  ['a slider by its words, from right to left', 'slider', { Level: 'High' }, 'Level=High'],
  ['a number that its page takes when it is left', 'number', { Amount: 42 }, 'Amount=42'],
  ['a text that counts at Enter, and sends no form', 'leaving', { Day: '2026-03-14' }, 'Day=2026-03-14'],
  ['a text that Enter makes a choice of', 'leaving', { Tag: 'Oslo' }, 'Tag=Oslo'],
  ['the parts of a date', 'parts', { Start: '2026-03-14' }, 'Start=3,14,2026'],
  ['the parts of two', 'parts', { Stay: '2026-03-14 – 2026-04-02' }, 'Stay=3,14,2026,4,2,2026'],
  ['buttons that stay pressed', 'pressed', { Styles: ['Italic'] }, 'Styles=Italic'],
  ['an editor that draws its text', 'drawn', { Code: 'f(x) {\n  y;\n}' }, 'Code="f(x) {\\n  y;\\n}"'],
  ['an editor whose text area is cut off', 'cut', { Code: 'f(x) {\n  y;' }, 'Code="f(x) {\\n  y;"'],
  ['an editor that pastes later', 'deferred', { Note: '1. Tea\n2. Ham' }, 'Note="1. Tea\\n2. Ham"'],
  ['an editor by the label of what it hides', 'deferred', ['fill label=Note 1. Tea'], 'Note="1. Tea"'],
  ['an editor below its tools, by the label of what it hides', 'labels', { Body: 'Hi' }, 'Body=Hi'],
  ['a custom element in a label', 'labels', ['check text=Terms'], 'Terms=true'],
  ['a custom element by its label', 'labels', { Terms: true }, 'Terms=true'],
  ['a list box that hides its options', 'labels', { City: 'Rome' }, 'City=Rome'],
  [
    'a field below the calendar of another',
    'calendar',
    { From: '2026-03-14', Late: true },
    'From=2026-03-14',
  ],
  ['an editor with a model of its own', 'model', { Note: 'Two\nlines' }, 'Note="Two\\nlines"'],
  ['more lines than are drawn', 'model', { Note: 'a\nb\nc\nd' }, 'Note="a\\nb\\nc\\nd"'],
  ['lines of a chat, unsent', 'chat', { Note: '* one\n\ttwo' }, 'Text="* one\\n\\ttwo"'],
  ['a card number that its page groups', 'formatted', { Card: '42424242' }, 'Card=4242 4242'],
  ['a card number that its page masks', 'formatted', { Masked: '42424242' }, 'Masked=42424242'],
  ['a text for which its page only suggests', 'search', { Search: 'weather' }, 'Search=weather'],
  ['a code in boxes of one digit', 'formatted', { Code: '123' }, 'Code=123'],
  ['what a field formats as it was', 'formatted', { Phone: '5550100000' }, 'Phone=(555) 010-0000'],
  ['a field with a mark before its name', 'formatted', { Name: 'Ada' }, 'Name=Ada'],
  ['a switch that its server turns on', 'states', { Alerts: true }, 'Alerts=true'],
  ['a box that is partly on', 'states', { All: false }, 'All=false'],
  ['a box of ARIA that is partly on', 'states', { Rows: false }, 'Rows=false'],
  ['an editor with a placeholder to nothing', 'states', { Draft: '' }, '-'],
  ['lines that do not fit, unsent', 'chat', { Post: 'a\n\tb\nc' }, 'Text="a\\n\\tb\\n"'],
  ['text after the code', 'drawn', ['type label=Code (c)'], 'Code="if (a) {\\n  b();\\n}(c)"'],
  ['text after code cut off', 'cut', ['type css=textarea (c)'], 'Code="if (a) {\\n  b();\\n}(c)"'],
  ['text after a note', 'model', ['type label=Note  more'], 'Note="One more"'],
  [
    'text with the format that was switched on before it',
    'rich',
    ['type label=Note  a ', 'click text=Bold', 'type label=Note b', 'click text=Bold', 'type label=Note c'],
    'Note=One a <b>b</b>c',
  ],
  ['text at the caret', 'rich', ['press label=Note Home', 'type css=:focus X'], 'Note=XOne'],
  [
    'text at the caret of a field',
    'formatted',
    ['press label=Email Home', 'type css=:focus b'],
    'Email=ba@x',
  ],
  ['text after an address', 'formatted', ['type label=Email .org'], 'Email=a@x.org'],
  ['a row by pressing it', 'rows', ['click role=combobox', 'click text="Town 47"'], 'City=Town 47'],
  ['a row by a step', 'rows', ['fill role=combobox Town 47'], 'City=Town 47'],
  ['a suggested value', 'native', ['select label=Town Cologne'], 'Town=k'],
  ['an option of a closed list', 'native', ['click text=France'], 'Country=France'],
  ['a choice of an open menu', 'native', ['select role=menu Archive'], 'Menu=Archive'],
  ['a slider that draws its value later', 'delayed', { Depth: 15 }, 'Depth=15'],
  ['a slider that draws its words later', 'delayed', { Depth: '9m' }, 'Depth=9'],
  ['what a filter offers later', 'delayed', ['type label=Find ger', 'press Enter'], 'Find=Germany'],
  ['the same by a line break', 'delayed', ['type label=Find nor\n'], 'Find=Norway'],
  ['boxes that get the focus in a frame', 'delayed', ['type label=Digits 123'], 'Digits=123'],
  ['empty lines that a paste drops', 'blank', { Note: 'a\n\nb' }, 'Note="a\\n\\nb"'],
  ['options before their field', 'tags', { People: ['Grace', 'Alan'] }, 'People=Grace,Alan'],
  ['texts in a form', 'tags', { Keywords: ['noir', 'silent'] }, 'Keywords=noir,silent'],
  ['a suggestion without ARIA', 'tags', ['select label=Town Bergen'], 'Town=Bergen'],
  ['a text that a mark divides', 'tags', ['click "Alan Turing"'], 'Mention=Alan'],
  ['a field by a label without `for`', 'silent', ['fill label=Nick Ada', 'press Tab'], 'Nick=Ada'],
  ['a box that opens a list', 'silent', { Team: 'Green' }, 'Team=Green'],
  ['a date below a calendar in its label', 'silent', { Day: '2026-03-14' }, 'Day=2026-03-14'],
  ['a drop that its page takes once it has slid', 'silent', ['drag "Iron" "Lead"'], 'Iron=moved'],
  [
    'tags next to the field with their label',
    'replaced',
    { Labels: ['noir', 'silent'] },
    'Labels=noir,silent',
  ],
  ['a list in place of a hidden one', 'replaced', { Land: 'Peru' }, 'Land=Peru'],
  ['the same by a step', 'replaced', ['select label=Land Oman'], 'Land=Oman'],
  ['a code whose label is of a hidden field', 'replaced', { 'Door code': '4821' }, 'Door code=4821'],
  ['a list whose box is flat', 'replaced', { Flat: 'High' }, 'Flat=High'],
  ['what only a choice makes count', 'offered', { Shape: 'Square', Note: 'x' }, 'Shape=Square'],
  ['a date that only Enter makes count', 'offered', { On: '2026-03-14', Note: 'x' }, 'On=2026-03-14'],
  ['a text that is offered in a search', 'offered', { Find: 'Round' }, 'Find=Round'],
  ['a field that hears only keys', 'heard', { Day: '2026-03-14' }, 'Day=2026-03-14'],
  ['a field by a label that is not its name', 'heard', { Land: 'Peru' }, 'Land=Peru'],
  [
    'two dates below a calendar',
    'range',
    { Stay: '2026-03-14 to 2026-04-02' },
    'Stay=2026-03-14 to 2026-04-02',
  ],
  ['a slider by the field of its number', 'paired', { Price: 435 }, 'Price=435'],
  ['an option that is only highlighted', 'marking', { Tags: ['Red', 'Blue'] }, 'Tags=Red,Blue'],
  ['texts for which a list has no results', 'marking', { Words: ['noir', 'dry'] }, 'Words=noir,dry'],
  ['an option that typing brings into reach', 'above', { City: 'Berlin' }, 'City=Berlin'],
  ['a date that no option has', 'due', { Due: '3/14/2026' }, 'Due=3/14/2026'],
];

it.concurrent.each(sample(SET, 9))('sets %s', async (_, name, given, expected) => {
  const steps = Array.isArray(given) ? given : null;
  const { reported, answer } = await call(name, steps === null ? { fields: given } : { steps });
  expect(answer.text).toMatch(new RegExp(`^done ${steps?.length ?? Object.keys(given).length}`));
  expect(reported).toBe(expected);
});

const REFUSED: readonly [string, string, Record<string, unknown>, string, string][] = [
  ['an option that is not there', 'combobox', { City: 'Oslo' }, 'option_not_found', '-'],
  ['one of two that is missing', 'several', { City: ['Berlin', 'Oslo'] }, 'option_not_found', 'City=Berlin'],
  ['texts in a form, unsent', 'form', { Tags: ['Oslo', 'Rome'] }, 'option_not_found', '-'],
  ['what the box of its own row does not offer', 'drawnRows', { Plan: 'Red' }, 'option_not_found', '-'],
  ['a control with a caption of its own', 'silent', { Volume: 'on' }, 'field_not_found', '-'],
  ['a row that is not there', 'rows', { City: 'Town 199' }, 'option_not_found', '-'],
  ['a number over the bound of a slider', 'slider', { Volume: 900 }, 'value_not_taken', '-'],
  ['a number between the steps of a slider', 'slider', { Volume: 33 }, 'value_not_taken', 'Volume=20'],
  ['one date for the parts of two', 'parts', { Stay: '2026-03-14' }, 'value_not_taken', '-'],
  ['a number over the bound of a spin button', 'number', { Guests: 12 }, 'value_not_taken', '-'],
  ['a number that the page corrects', 'number', { Amount: 500 }, 'value_not_taken', 'Amount=5'],
  ['an empty list', 'several', { City: [] }, 'value_not_taken', '-'],
  ['lines that go to other blocks', 'blocks', { Block: 'a\nb' }, 'value_not_taken', 'Blocks=One,a,b'],
  ['a card number that goes', 'formatted', { Reverted: '4242' }, 'value_not_taken', 'Reverted=4242'],
  ['a text that goes once its list has closed', 'leaving', { Team: 'Green' }, 'value_not_taken', '-'],
];

it.concurrent.each(sample(REFUSED, 4))('refuses %s', async (_, name, fields, code, expected) => {
  const { reported, answer } = await call(name, { fields });
  expect(answer.code()).toBe(code);
  expect(reported).toBe(expected);
});

it('names every field that drops its text once it is left', async () => {
  const fields = { From: 'a', Name: 'b', To: 'c' };
  const { answer } = await call('leaving', { fields, steps: ['click Next'] });
  const [from, to] = ['From', 'To'].map((name) => `textbox ${name}: typed, not taken; it shows "".`);
  const message = `Step 1 of 4 (From): ${from} ${to} Done before it: Name. Not tried: click Next.`;
  expect(answer.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
});

const SAID: readonly [string, Record<string, unknown>, string][] = [
  ['combobox', { steps: ['select label=City Ber'] }, 'offered are \\"Berlin\\", \\"Bergen\\"'],
  ['search', { fields: { Search: 'rain' } }, 'typed, not chosen: offered are "rain today", "rain tomorrow"'],
  ['search', { fields: { Search: 'wether' } }, 'typed, not chosen: offered are "weather today"'],
  // The clock takes the pointer after it has faded in.
  ['clock', { fields: { Alarm: '07:30' } }, 'shows "07:30" while its popup is open'],
  ['clock', { steps: ['fill label=Alarm 07:30'] }, 'shows "07:30" while its popup is open'],
  ['clock', { fields: { Place: 'Oslo' } }, 'Place: shows "Oslo" while its popup is open'],
  ['regions', { fields: { Country: 'France' } }, 'Bretagne'],
  ['regions', { fields: { Country: 'France', Region: 'Bretagne', City: 'Quimper' } }, 'City = Quimper'],
  ['files', { fields: { Files: ['a', 'b'] } }, 'does not show "a"'],
  ['confirmed', { fields: { Colour: 'Blue' } }, 'Colour: chosen, and does not show "Blue"'],
  ['unconfirmed', { fields: { Many: ['Red', 'Blue'] } }, 'Many: chosen, and does not show "Red, Blue"'],
  ['formatted', { fields: { Pin: '123' } }, 'Pin = 123'],
  ['offered', { fields: { Port: 'Lagos' } }, 'Port = Lagos'],
  ['states', { fields: { Country: '' } }, 'its text was empty already'],
  ['tags', { fields: { Town: ['a', 'b'] } }, 'takes one value'],
  ['blank', { steps: ['type label=City x'] }, 'no visible change of a list within 500 ms'],
  ['leaving', { steps: ['fill label=From a', 'fill label=Name b'] }, 'textbox From: typed, not taken'],
  ['blank', { steps: ['fill label=Day 2026-03-14'] }, 'shows "2026-03-14" while its popup is open'],
  [
    'blank',
    { steps: ['click text=Move'] },
    'no change of text or state; positions or styles may have changed',
  ],
  ['states', { fields: { Moved: true } }, 'pressed, and the page has replaced it'],
  // A button says that it opens a menu; another one closes as its window is resized, and is opened again.
  ['menu', { steps: ['click text=More'] }, 'menuitem Archive'],
  ['resizing', { steps: ['click text=More'] }, 'menuitem Archive'],
];

it.each(sample(SAID, 2))('says of %s after %j: %s', async (name, ask, note) => {
  expect((await call(name, ask)).answer.text).toContain(note);
});
