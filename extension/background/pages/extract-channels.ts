import { EXTRACT_PORT, type FromExtract, type ToExtract } from '../../page/extract/protocol.ts';
import { FromExtract as FromExtractMessage } from '../../ports/page-messages.ts';
import { DocumentChannels, type PageChannels } from './channels.ts';

/** Channels to the extraction script, which is injected only when needed. */
export type ExtractChannels = PageChannels<ToExtract, FromExtract>;

export function createExtractChannels(): ExtractChannels {
  return new DocumentChannels<ToExtract, FromExtract>({
    file: 'extract.js',
    port: EXTRACT_PORT,
    schema: FromExtractMessage,
  });
}
