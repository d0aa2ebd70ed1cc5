import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');

/** A page with two buttons, which shows the pressed button and its target. */
export const PAGE = `<title>Shop</title><input aria-label="Name"><button id=order>Order</button><button id=other>Other</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ' for ' + document.querySelector('input').value + ';'))</script>`;

export const order = { steps: ['click css=#order'] };
export const other = { steps: ['click css=#other'] };

export const ledgerOf = (home: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [ENTRY, 'ledger', ...args, '--home', home], { encoding: 'utf8' });

/** The form of a question. */
export const TABLE = {
  type: 'object',
  properties: {
    day: { type: 'string', enum: ['Mon', 'Tue'], title: 'Day' },
    seats: { type: 'integer', title: 'Seats', description: 'Children too', minimum: 1 },
    window: { type: 'boolean', title: 'By the window' },
    note: { type: 'string', title: 'x'.repeat(150) },
  },
  required: ['day', 'seats'],
};
