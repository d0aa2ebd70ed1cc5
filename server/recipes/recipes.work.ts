import { z } from 'zod';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import { RECIPE_TOOLS } from '../../shared/recipes/check.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { CallTool } from '../core/context.ts';
import type { RunWorker } from '../core/runs.ts';
import { executionOf } from '../programs/caller.ts';
import { WorkflowThread } from '../programs/native.ts';
import { execute, runProgram } from '../programs/program.ts';
import type { ToolServices } from '../core/index.ts';
import { answerOf, Steps } from './steps.ts';

const Args = z.object({ name: z.string(), args: JsonRecord });

/** The work of the runs of recipes: saved programs, as code or as steps. */
export const createWorker = ({
  recipes,
  ...services
}: Pick<ToolServices, 'recipes' | 'registry' | 'clock' | 'callTool' | 'parking'>): RunWorker => ({
  async run(stored, scope) {
    const { name, args } = Args.parse(stored);
    const recipe = recipes.get(name);
    const isRecipe = (tool: string): boolean =>
      RECIPE_TOOLS.has(tool) || recipes.all().some((each) => each.name === tool);
    const own: CallTool = (call) => {
      if (!isRecipe(call.tool)) return services.callTool(call);
      return Promise.reject(
        new SpillwayError('recipe_invalid', `${call.tool} is a recipe, and a recipe cannot call another.`),
      );
    };
    const options = { ...executionOf(scope, name, { ...services, callTool: own }), asObject: true };
    const steps = new Steps(recipe, args);
    try {
      if (recipe.code !== undefined) {
        const outcome = await runProgram({ code: recipe.code, input: args }, scope, options);
        return { ...outcome, source: outcome.source ?? `the recipe ${name}` };
      }
      const outcome = await execute(
        (events, begin) => new WorkflowThread((_, make) => steps.run(make), events, begin),
        '',
        scope,
        { ...options, valueOfResult: answerOf },
      );
      return { ...outcome, ...steps.facts };
    } catch (thrown) {
      const error = services.parking.park(thrown, scope);
      const isOwn = recipe.code !== undefined || scope.signal.aborted || error.code === 'workflow_waits';
      throw isOwn ? error : steps.explainStopped(error, scope.runId);
    }
  },
});
