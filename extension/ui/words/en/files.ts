import { sentence, text } from '../catalogue.ts';

/** On a card that asks for files of the person's. */
export const files = {
  choose: sentence('Your files for {target}'),
  asked: sentence('The agent asks for {names}.'),
  note: 'Only the page gets them. The agent learns neither their names nor where they are, except what it named itself.',
  unread: 'A file has changed or is gone since you chose it. Choose again.',
  notInFolder:
    'The folder has no file of that name, or the browser does not let it be read. Choose the file yourself.',
  giveFolder: 'Give a folder…',
  given: sentence('Files that you do not choose come by their names from {folder}, for each Allow'),
  keeping: {
    once: 'on this card only',
    session: 'until the browser ends',
    always: 'until you take it back',
  },
  takeBack: 'Take it back',
  noFolders: 'In this browser you choose each file: it lets no extension keep a folder.',
  saveIn: 'Save it in this folder',
  saveNote:
    'Its whole path, such as ~/reports, on the computer where the agent’s server runs. The agent learns it.',
  tooMuch: text('At most {count} files of {megabytes} MB together.'),
};
