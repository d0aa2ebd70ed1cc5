import { stemOf } from './terms.ts';

/** Words that tools and those who ask use for the same. A word may be in several rows. */
const ROWS = `
delete remove drop erase wipe discard clear
create add new make insert
list show enumerate all
get read retrieve view open fetch
search find query look locate lookup
update edit change modify patch set
stop cancel abort end terminate halt
start launch run begin trigger
picture image screenshot photo
send post write
rename move
copy duplicate clone
folder directory
person people user member
mail email message
ticket issue bug
save export store download
upload attach
press click tap
app application
website site page web
url link address
comment note remark
chart graph diagram plot
table spreadsheet grid
row record entry
column field
error failure fail
describe detail info information
phone mobile device
meeting appointment event
`;

const byStem = new Map<string, Set<string>>();
for (const row of ROWS.trim().split('\n')) {
  const stems = row.split(' ').map(stemOf);
  for (const stem of stems) {
    const others = byStem.get(stem) ?? new Set();
    for (const other of stems) if (other !== stem) others.add(other);
    byStem.set(stem, others);
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Stems of the words that mean about the same. */
export const synonymsOf = (stem: string): ReadonlySet<string> => byStem.get(stem) ?? NONE;
