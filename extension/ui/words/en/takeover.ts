import { sentence, text } from '../catalogue.ts';

/** On a card that asks a person to take a tab over. */
export const takeover = {
  label: 'A tab to take over',
  asks: 'asks you',
  title: 'Take over this tab?',
  why: 'Why, in the agent’s words',
  doneWhen: 'You are done when',
  yours: 'The tab is yours until then: agents can neither see it nor act in it, and nothing is recorded.',
  show: 'Show the tab',
  done: 'I’m done',
  decline: 'I can’t, or not now',
  space: 'Enter does not end it. Use the mouse, or Tab and the space bar.',
  more: text({ one: '{count} more request after this one', other: '{count} more requests after this one' }),
  until: {
    click: sentence('you click “I’m done”.'),
    orClick: sentence('You can also click “I’m done”.'),
    all: sentence('and '),
    any: sentence('or '),
    text: sentence('the page shows {what}.'),
    text_gone: sentence('the page no longer shows {what}.'),
    target: sentence('the page has an element at {what}.'),
    target_gone: sentence('the page no longer has an element at {what}.'),
    url: sentence('the address of the page matches {what}.'),
    moved: sentence('the tab has gone to another page.'),
  },
};
