import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  oc_output_query: ({ call: { args }, language }) => {
    const { schema, stats, diff, sortedBy } = words[language].inspector;
    return (
      <CallLine
        name={words[language].apiName.oc_output_query}
        about={[args.search, args.regex, args.where, args.jmespath, args.output_handle]}
        tags={[
          args.schema === true && schema,
          args.stats === true && stats,
          args.diff !== undefined && diff,
          args.sort !== undefined && sortedBy(String(args.sort)),
        ]}
      />
    );
  },
};
