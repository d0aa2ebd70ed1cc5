/** One call of `interact`: its steps, or all of its arguments. */
export type Call = readonly string[] | Readonly<Record<string, unknown>>;

const press = (times: number, step: string): string[] => Array.from({ length: times }, () => step);

/** How each page of `fixtures/sites/tasks` is solved, call by call. What opens in a tab of its own is solved elsewhere. */
export const DRIVERS: Readonly<Record<string, readonly Call[]>> = {
  login: [
    { fields: { Email: 'ada@example.com', 'Code word': 'x' }, steps: ['click role=button[name="Log in"]'] },
  ],
  'all-controls': [
    {
      fields: {
        Name: 'Ada',
        Age: 36,
        About: 'One\nTwo',
        Country: 'France',
        Languages: ['Basque', 'Catalan'],
        Size: 'Medium',
        Newsletter: true,
        Born: '1815-12-10',
        Alarm: '07:30',
        Month: '2026-02',
        Colour: '#ff0000',
        Volume: 30,
      },
      steps: ['submit'],
    },
  ],
  'date-picker': [
    [
      'click label=Day',
      ...press(2, 'click text="Next month"'),
      'click role=gridcell[name="17"]',
      'click text=Book',
    ],
  ],
  autocomplete: [['type label=City Ost', 'click role=option[name="Ostrava"]']],
  combobox: [{ fields: { Plan: 'Team' } }],
  slider: [{ fields: { Price: 370 } }],
  'slider-keys': [['press label=Warmth End ArrowLeft ArrowLeft']],
  'slider-drag': [['drag css=#knob by 250,0']],
  'sort-list': [['drag text=Third by 0,80']],
  'drag-drop': [['drag css=#fix css=#done']],
  tabs: [['click role=tab[name="Address"]', 'click text="Confirm address"']],
  accordion: [['click text=Returns', 'click text="Read terms"']],
  modal: [['click text="Delete account"', 'click text="Delete it"']],
  'hover-menu': [['hover text=File', 'hover text=Export', 'click text="As PDF"']],
  table: [
    [
      'click role=button[name="Price"]',
      ...press(2, 'click text="Next page"'),
      'click css=tbody>>css=tr:last-child>>role=button',
    ],
  ],
  'infinite-scroll': [
    [
      'wait target text="Entry 30"',
      'scroll to bottom',
      'wait target text="Entry 60"',
      'scroll to bottom',
      'click text="Entry 75"',
    ],
  ],
  'spa-routes': [['click text=Ada'], ['click text="Greet Ada Lovelace"']],
  'custom-checkbox': [{ fields: { 'I accept the terms': true }, steps: ['click text=Send'] }],
  switch: [['check role=switch', 'uncheck role=checkbox']],
  'radio-group': [{ fields: { Seat: 'Aisle' } }],
  'rich-text': [['fill label=Message Hello', 'press Control+A', 'click text=Bold', 'click text=Send']],
  canvas: [['click css=#board at 235,55']],
  'copy-paste': [['focus label=From', 'press Control+A Control+C', 'focus label=To', 'press Control+V']],
  'keyboard-list': [['press label=Fruit ArrowDown ArrowDown ArrowDown Enter']],
  tree: [['click text=Documents', 'click text=Tax', 'double_click text=2025.pdf']],
  'spin-button': [['click text=More', 'press label=Guests ArrowUp ArrowUp', 'click text=Book']],
  'colour-and-time': [{ fields: { Colour: '#336699', Start: '2026-11-22T13:45', Week: '2026-W47' } }],
  'multi-select': [{ fields: { Toppings: ['Olives', 'Peppers'] }, steps: ['click text=Order'] }],
  'masked-phone': [['type label=Phone 5550104477', 'click text=Send']],
  'masked-card': [['type label=Card 4111111111111111', 'type label=Expires 0931', 'click text=Pay']],
  'controlled-input': [['type label=Name Grace Hopper', 'click text=Save']],
  'debounced-search': [['fill label=Search grace', 'click text="Grace Hopper"']],
  optimistic: [['click css=#like']],
  'sticky-header': [['click text=Subscribe']],
  'moving-target': [['click text="Catch me"']],
  delayed: [['click text=Begin', 'click text=Continue']],
  'disabled-until-valid': [['fill label=Code ABC-1234', 'wait target css=#go:enabled', 'click text=Redeem']],
  'frame-form': [{ fields: { Guest: 'Ada' }, steps: ['click text=Register'] }],
  'far-frame-form': [{ fields: { Guest: 'Grace' }, steps: ['click text=Register'] }],
  'nested-frames': [{ fields: { Guest: 'Edsger' }, steps: ['click text=Register'] }],
  'shadow-widget': [press(3, 'click role=button[name="Add"]')],
  'closed-shadow': [{ fields: { Reason: 'because' }, steps: ['click text=Vote'] }],
  'scroll-in-scroll': [['click text="Deep button"']],
  wizard: [['red', 'green', 'blue'].flatMap((answer) => [`fill label=Answer ${answer}`, 'click text=Next'])],
  'context-menu': [['right_click css=#file', 'click text=Archive']],
  'double-click-edit': [['double_click css=#title', 'fill css=#title Final', 'press Enter']],
  'range-select': [
    ['click text="Mail 2"', 'Shift+click text="Mail 4"', 'Control+click text="Mail 7"', 'click text=Archive'],
  ],
  'star-rating': [['click css=#stars>span:nth-child(4)']],
  'virtual-list': [['scroll css=#view by 0,14950', 'click text="Row 500"']],
  'undo-toast': [['click text=Remove', 'click text=Undo']],
  'dependent-selects': [{ fields: { Country: 'France' }, steps: ['select label=City Lyon'] }],
  tags: [
    [
      'type label=Tag sea',
      'press Enter',
      'type label=Tag lake',
      'press Enter',
      'type label=Tag river,',
      'click label="Remove lake"',
    ],
  ],
  'one-time-code': [['type label="Digit 1" 4071']],
  splitter: [['drag label=Splitter by 80,0']],
  'command-palette': [['press Control+K', 'type label="Command" Open settings', 'press Enter']],
  'key-trap': [['press Tab Tab Tab Space']],
  'date-of-birth': [{ fields: { Day: '23', Month: 'June', Year: '1912' }, steps: ['click text=Continue'] }],
  'text-area-lines': [
    {
      steps: [
        { do: 'fill', target: 'label=Address', value: '1 High Street\nOxford\nOX1 1AA' },
        'click text=Send',
      ],
    },
  ],
  'loading-overlay': [['click text=Load', 'click text=Pay']],
  're-rendered-list': [[...press(3, 'click label="Add Coffee"'), 'click label="Add Tea"']],
};

/** What opens a tab that has to be read: what is clicked here, and there. */
export const IN_NEW_TABS: Readonly<Record<string, readonly [string, string]>> = {
  'new-tab': ['click text="Open the report"', 'click text="Mark as read"'],
  'pop-up-window': ['click text="Choose a colour"', 'click text=Teal'],
};
