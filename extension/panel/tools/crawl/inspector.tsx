import { CallLine } from '../../components/call-line.tsx';
import type { FacesOf, Inspector } from '../face.ts';
import { words } from './words.ts';

export const faces: FacesOf<Inspector> = {
  crawl: ({ call, language }) => (
    <CallLine
      name={words[language].apiName.crawl}
      about={[call.args.url, call.args.sitemap, call.args.resume]}
      tags={[call.args.scope, call.args.find]}
    />
  ),
};
