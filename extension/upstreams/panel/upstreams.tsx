import { Button, Problem, Badge, codeOf, theirs } from '../../ui/kit.tsx';
import { upstreamTexts } from '../../ui/words/en/parts.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { usePanel } from '../../ui/frame/panel-context.tsx';
import { Command, Hop } from '../../doctor/panel/health.tsx';
import { useEffect, useState } from 'preact/hooks';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import type { OfferedUpstream, PanelFeed } from '../../ui/frame/panel-feed.ts';
import type { ShownUpstreamTool } from '../../../shared/core/bridge/answers.ts';
import { type Failure, failureOf } from '../../ui/frame/feed-client.ts';

/** Other servers whose tools agents can use, those that need a person's attention first. */
export function Upstreams() {
  const { feed } = usePanel();
  const words = useTexts(upstreamTexts);
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => void feed.upstreams.reload(), [feed]);
  const all = feed.upstreams.all.value;
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="upstreams-title">
      <h2 id="upstreams-title">{words.title}</h2>
      <p class="quiet">{words.detail}</p>
      <ul class="hops divided">
        {all.map((upstream) => {
          const key = `${upstream.server} ${upstream.id}`;
          const isShown = shown === key;
          return (
            <Row
              key={key}
              upstream={upstream}
              isShown={isShown}
              onShow={() => setShown(isShown ? null : key)}
            />
          );
        })}
      </ul>
    </section>
  );
}

type OfUpstream = { readonly upstream: OfferedUpstream };
type RowProps = OfUpstream & { readonly isShown: boolean; readonly onShow: () => void };

const STATUSES = { starting: 'skipped', ready: 'ok', failed: 'failed' } as const;

function Row({ upstream, isShown, onShow }: RowProps) {
  const words = useTexts(upstreamTexts);
  const { id, target, state, problem, tools, unaccepted } = upstream;
  const waits = state === 'ready' && unaccepted > 0;
  const waiting = words.unaccepted({ count: tools === 0 ? 0 : unaccepted });
  const name = waits ? waiting : words.states[state];
  return (
    <Hop status={waits ? 'warning' : STATUSES[state]} text={name}>
      <b>{theirs(id)}</b> {state === 'ready' && <span class="quiet">{words.tools({ count: tools })}</span>}
      <p>{codeOf(target)}</p>
      {problem !== null && <p class="quiet">{theirs(problem)}</p>}
      {waits && <p class="fix strong">{waiting}</p>}
      {state === 'ready' && tools > 0 && (
        <Button
          kind="above"
          aria-expanded={isShown}
          aria-label={isShown ? words.close : words.lookOf({ id: reveal(id) })}
          onClick={onShow}
        >
          {isShown ? words.close : words.look}
        </Button>
      )}
      {(isShown || (tools === 0 && unaccepted > 0)) && <UpstreamTools upstream={upstream} />}
    </Hop>
  );
}

/** All tools of an upstream at one moment. */
type Seen = Awaited<ReturnType<typeof readTools>>;

function UpstreamTools({ upstream }: OfUpstream) {
  const { feed, state } = usePanel();
  const words = useTexts(upstreamTexts);
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
    // Picks up later changes.
  }, [feed, server, id, unaccepted]);
  const accept = async ({ revision }: Seen): Promise<void> => {
    setAccepting(true);
    setFailure(null);
    try {
      await feed.client.ask('upstreams.accept', { server, id, revision, where: 'side_panel' });
    } catch (thrown) {
      setFailure(failureOf(thrown));
      await readTools(feed, server, id).then(setSeen, () => undefined);
    }
    setAccepting(false);
    await feed.upstreams.reload();
  };
  const acceptCommand = [state.own.command ?? 'spillway', 'upstream', 'accept', id].join(' ');
  const isWhole = seen?.tools.every((tool) => tool.is_whole) ?? false;
  return (
    <div class="upstream-tools flow">
      <p class="quiet">{words.untrusted}</p>
      <Problem>
        {failure && (
          <>
            {seen === null ? words.unread : words.failed} {reveal(failure.message)} {failure.hint}
          </>
        )}
      </Problem>
      <ul class="divided">
        {seen?.tools.map((tool) => (
          <Tool key={tool.name} tool={tool} />
        ))}
      </ul>
      {seen !== null && unaccepted > 0 && !isWhole && (
        <>
          <p class="notice">{words.cut}</p>
          <Command text={acceptCommand} label={words.copyCommand} />
        </>
      )}
      {seen !== null && unaccepted > 0 && isWhole && state.isPanel && (
        <button type="button" class="accept" disabled={isAccepting} onClick={() => void accept(seen)}>
          {isAccepting ? words.accepting : words.accept({ count: seen.tools.length })}
        </button>
      )}
    </div>
  );
}

function Tool({ tool }: { readonly tool: ShownUpstreamTool }) {
  const words = useTexts(upstreamTexts);
  const { name, title, description, parameters, answers, change, is_read_only: isReadOnly } = tool;
  return (
    <li>
      <b>{theirs(name)}</b> {title !== '' && [theirs(title), ' ']}
      {change !== null && <Badge tone="busy">{words.changes[change]}</Badge>}{' '}
      <span class="quiet">{isReadOnly ? words.reads : words.acts}</span>
      {description === '' ? (
        <p class="quiet">{words.noDescription}</p>
      ) : (
        <p class="description pre">{theirs(description)}</p>
      )}
      <Schema name={words.args} text={parameters} />
      {answers !== '' && <Schema name={words.answers} text={answers} />}
    </li>
  );
}

const Schema = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <details>
    <summary>{name}</summary>
    <pre class="well">{reveal(text)}</pre>
  </details>
);

/** Reads all pages; from the beginning if the upstream changes meanwhile. Tools that need attention come first. */
async function readTools(feed: PanelFeed, server: string, id: string) {
  for (let tries = 0; ; tries += 1) {
    const first = await feed.client.ask('upstreams.tools', { server, id });
    const tools = [...first.tools];
    let { next_offset: next, revision } = first;
    while (next !== null && revision === first.revision) {
      const page = await feed.client.ask('upstreams.tools', { server, id, offset: next });
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
