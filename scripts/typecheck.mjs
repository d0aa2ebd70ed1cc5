import { checkProject, projects } from './lib/checks/types.mjs';
import { PlainError, runMain } from './lib/steps.mjs';

/** `npm run typecheck`: checks every project that tsconfig.json references. */
await runMain(async () => {
  const failures = [];
  for (const project of projects())
    await checkProject(project).catch(({ message }) => failures.push(message));
  if (failures.length > 0) throw new PlainError(failures.join('\n'));
});
