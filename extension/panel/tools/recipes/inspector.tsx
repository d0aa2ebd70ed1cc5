import { isObject } from '../../../../shared/json.ts';
import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  recipe_search: ({ call, language }) => (
    <CallLine name={words[language].apiName.recipe_search} about={[call.args.query]} />
  ),
  recipe_get: ({ call, language }) => (
    <CallLine name={words[language].apiName.recipe_get} about={[call.args.name]} />
  ),
  recipe_run: ({ call, language }) => {
    const { apiName, inspector } = words[language];
    const { name, continue: id, skip } = call.args;
    return (
      <CallLine
        name={apiName.recipe_run}
        about={[name ?? id]}
        tags={[id !== undefined && inspector.continues, skip === true && inspector.skips]}
      />
    );
  },
  recipe_save: ({ call, language }) => {
    const { apiName, inspector } = words[language];
    const { definition, replace } = call.args;
    return (
      <CallLine
        name={apiName.recipe_save}
        about={[isObject(definition) && String(definition['name'])]}
        tags={[replace === true && inspector.replaces]}
      />
    );
  },
  recipe_delete: ({ call, language }) => (
    <CallLine name={words[language].apiName.recipe_delete} about={[call.args.name]} />
  ),
};
