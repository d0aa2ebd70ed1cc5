import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { ShownUpstreamTool } from '../../../../shared/bridge/upstreams.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { failureOf, type Failure } from '../../feed/feed-client.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { OfferedUpstream } from '../../feed/panel-feed.ts';
import type { UpstreamStrings } from '../../words/upstreams.ts';

interface Props {
  readonly upstream: OfferedUpstream;
  readonly feed: PanelFeed;
  readonly words: UpstreamStrings;
  readonly canAccept: boolean;
  readonly command: string;
}

/** All tools of an upstream at one moment. */
interface Seen {
  readonly revision: string;
  readonly tools: readonly ShownUpstreamTool[];
}

/** What an upstream says of its tools, and the button that accepts them as they are shown. */
export function UpstreamTools({ upstream, feed, words, canAccept, command }: Props): JSX.Element {
  const { server, id, unaccepted } = upstream;
  const [seen, setSeen] = useState<Seen | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isAccepting, setAccepting] = useState(false);
  useEffect(() => {
    let isOver = false;
    readTools(feed, server, id).then(
      (tools) => !isOver && setSeen(tools),
      (thrown: unknown) => !isOver && setFailure(failureOf(thrown)),
    );
    return () => {
      isOver = true;
    };
    // What has changed meanwhile is read again.
  }, [feed, server, id, unaccepted]);
  const accept = async ({ revision }: Seen): Promise<void> => {
    setAccepting(true);
    setFailure(null);
    try {
      await feed.client.ask('upstream_accept', { server, id, revision });
    } catch (thrown) {
      setFailure(failureOf(thrown));
      await readTools(feed, server, id).then(setSeen, () => undefined);
    }
    setAccepting(false);
    await feed.upstreams.reload();
  };
  const acceptCommand = [command, 'upstream', 'accept', id].join(' ');
  const isWhole = seen?.tools.every((tool) => tool.is_whole) ?? false;
  return (
    <div class="upstream-tools">
      <p class="quiet">{words.untrusted}</p>
      {failure !== null && (
        <p class="problem" role="alert">
          {seen === null ? words.unread : words.failed} {reveal(failure.message)} {failure.hint}
        </p>
      )}
      <ul>
        {seen?.tools.map((tool) => (
          <Tool key={tool.name} tool={tool} words={words} />
        ))}
      </ul>
      {seen !== null && unaccepted > 0 && !isWhole && (
        <>
          <p class="notice">{words.cut}</p>
          <p class="command">
            <code>{acceptCommand}</code>
            <CopyButton text={acceptCommand} label={words.copyCommand} />
          </p>
        </>
      )}
      {seen !== null && unaccepted > 0 && isWhole && canAccept && (
        <button type="button" class="accept" disabled={isAccepting} onClick={() => void accept(seen)}>
          {isAccepting ? words.accepting : words.accept(seen.tools.length)}
        </button>
      )}
    </div>
  );
}

function Tool({
  tool,
  words,
}: {
  readonly tool: ShownUpstreamTool;
  readonly words: UpstreamStrings;
}): JSX.Element {
  const { name, title, description, parameters, answers, change, is_read_only: isReadOnly } = tool;
  return (
    <li>
      <b>
        <bdi>{reveal(name)}</bdi>
      </b>{' '}
      {title !== '' && (
        <>
          <bdi>{reveal(title)}</bdi>{' '}
        </>
      )}
      {change !== null && <Badge tone="busy">{words.changes[change]}</Badge>}{' '}
      <span class="quiet">{isReadOnly ? words.reads : words.acts}</span>
      {description === '' ? (
        <p class="quiet">{words.noDescription}</p>
      ) : (
        <p class="description">
          <bdi>{reveal(description)}</bdi>
        </p>
      )}
      <details>
        <summary>{words.parameters}</summary>
        <pre>{reveal(parameters)}</pre>
      </details>
      {answers !== '' && (
        <details>
          <summary>{words.answers}</summary>
          <pre>{reveal(answers)}</pre>
        </details>
      )}
    </li>
  );
}

/** Reads all pages; from the beginning where the upstream changes meanwhile. What has to be looked at comes first. */
async function readTools(feed: PanelFeed, server: string, id: string): Promise<Seen> {
  for (let tries = 0; ; tries += 1) {
    const first = await feed.client.ask('upstream_tools', { server, id });
    const tools = [...first.tools];
    let { next_offset: next, revision } = first;
    while (next !== null && revision === first.revision) {
      const page = await feed.client.ask('upstream_tools', { server, id, offset: next });
      ({ next_offset: next, revision } = page);
      tools.push(...page.tools);
    }
    if (revision === first.revision || tries >= 2)
      return {
        revision,
        tools: tools.toSorted((a, b) => Number(a.change === null) - Number(b.change === null)),
      };
  }
}
