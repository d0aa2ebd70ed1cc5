import type { JSX } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { WordsContext } from '../../components/words.ts';
import type { ShownOutput } from '../../feed/outputs-store.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import { outputsTexts } from '../../words/outputs.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { Opened } from './opened.tsx';
import { OpenedOutput } from './opened-output.ts';
import { OutputList } from './output-list.tsx';

interface Props {
  readonly feed: PanelFeed;
  readonly strings: PanelStrings;
  /** The handle that is open; null for the list. */
  readonly opened: string | null;
  readonly onOpen: (handle: string | null) => void;
  /** Something can be deleted. */
  readonly canDelete: boolean;
}

/** What agents were answered at length: the stored outputs of all homes, and one of them when a person opens it. */
export function Outputs({ feed, opened, onOpen, canDelete }: Props): JSX.Element {
  const words = outputsTexts[useContext(WordsContext)];
  const listed = feed.outputs.outputs.value.find(({ output }) => output.handle === opened) ?? null;
  const output = useOpened(feed, opened, listed);
  if (output === null) return <OutputList store={feed.outputs} words={words} onOpen={onOpen} />;
  return (
    <Opened
      key={output.handle}
      output={output}
      listed={listed?.output ?? null}
      store={feed.outputs}
      words={words}
      canDelete={canDelete}
      onBack={() => onOpen(null)}
    />
  );
}

/** Made once for each handle: the list may be read again meanwhile. */
function useOpened(feed: PanelFeed, handle: string | null, listed: ShownOutput | null): OpenedOutput | null {
  return useMemo(() => {
    if (handle === null) return null;
    const homes = feed.servers.value.flatMap(({ home }) => (home === null ? [] : [home]));
    return new OpenedOutput(feed.outputs, {
      handle,
      homes: [...new Set([...(listed === null ? [] : [listed.home]), ...homes])],
      isItems: listed?.output.kind === 'items',
    });
  }, [feed, handle]);
}
