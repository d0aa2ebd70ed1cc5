/*
 * Only these files call a redactor, each for its reason. Everything else hands raw data to one of them. A
 * new one is a decision: first look for a door that the data can pass.
 */
export const DOORS: Readonly<Record<string, string>> = {
  'server/core/calls/deliver.ts': 'What calls answer: payloads, notes and state.',
  'server/core/calls/prepare.ts': 'Texts that runtimes compare or quote.',
  'server/core/calls/scope.ts': 'Arguments and files that a person may be shown.',
  'server/people/human-input.ts': 'Messages, calls and questions of a paused task.',
  'server/library/continue-handler.ts': 'Failures of continued tasks.',
  'server/people/act-record.ts': 'Lines of the ledger about acts, and about what browsers report.',
  'server/people/takeovers.ts': 'Lines of the ledger about take-overs.',
  'server/people/kept-calls.ts': 'Calls that outlive their server.',
  'server/people/people.ts': 'Lines of the ledger about questions and decisions.',
  'server/core/calls/results.ts': "Failures, questions to a person, and answers of a caller's own tools.",
  'server/core/services.ts': 'Every line of the log.',
  'server/activity/ring.ts':
    'What people at the browsers read of files and answers that other servers have written.',
  'server/activity/feed.ts': 'Agents and steps of calls, for people at the browsers.',
  'server/ledger/journal.ts': 'Every entry of the journal.',
  'server/activity/methods.ts': 'Names of agents and tools, for people at the browsers.',
  'server/libraries/har/parts.ts': 'Captured requests, before the ring keeps them.',
  'server/recipes/recipes.ts': 'What recipes say of themselves, and what must not be stored.',
  'server/recipes/folder.ts': 'Places of a recipe that hold a secret, so that it is not stored.',
  'server/queue/page-queue.ts': 'Addresses and failures of pages that workers read.',
  'server/runs/active-run.ts': 'State, log and end of a run.',
  'server/runs/records.ts': 'Items of a run, counted.',
  'server/runs/index.ts': 'Arguments of a run, before it is created.',
  'server/evidence/deliver.ts': 'Manifest of a bundle.',
  'server/evidence/mhtml.ts': 'Parts of a bundle, each counted by itself.',
  'server/evidence/sources.ts': 'Every other part of a bundle.',
  'server/trace/trace.runtime.ts': 'Events of a trace.',
  'server/upstreams/answers.ts':
    'All that other servers say: tools, answers, questions, resources, prompts, lines.',
  'server/core/bridge/host/note.ts': 'What the native host prints.',
  'server/doctor/command.ts': 'What doctor prints.',
  'server/core/logger.ts': 'What ends the program.',
};
