import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-preact';
import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { WordsContext } from '../../components/words.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { OfferedUpstream } from '../../feed/panel-feed.ts';
import { upstreamTexts, type UpstreamStrings } from '../../words/upstreams.ts';
import { UpstreamTools } from './upstream-tools.tsx';

interface Props {
  readonly feed: PanelFeed;
  /** A page in a tab only shows. */
  readonly canAccept: boolean;
  /** How the program is started in a terminal. */
  readonly command: string;
}

/** The other servers whose tools agents can use, and what a person has to look at first. */
export function Upstreams({ feed, canAccept, command }: Props): JSX.Element | null {
  const words = upstreamTexts[useContext(WordsContext)];
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => void feed.upstreams.reload(), [feed]);
  const all = feed.upstreams.all.value;
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="upstreams-title">
      <h2 id="upstreams-title">{words.title}</h2>
      <p class="quiet">{words.detail}</p>
      <ul class="hops">
        {all.map((upstream) => {
          const key = `${upstream.server} ${upstream.id}`;
          const isShown = shown === key;
          return (
            <Row
              key={key}
              upstream={upstream}
              words={words}
              isShown={isShown}
              onShow={() => setShown(isShown ? null : key)}
            >
              {isShown && (
                <UpstreamTools
                  upstream={upstream}
                  feed={feed}
                  words={words}
                  canAccept={canAccept}
                  command={command}
                />
              )}
            </Row>
          );
        })}
      </ul>
    </section>
  );
}

interface RowProps {
  readonly upstream: OfferedUpstream;
  readonly words: UpstreamStrings;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly children: JSX.Element | false;
}

const ICONS = { starting: CircleDashed, ready: CircleCheck, failed: CircleX } as const;
const CLASSES = { starting: 'skipped', ready: 'ok', failed: 'failed' } as const;

function Row({ upstream, words, isShown, onShow, children }: RowProps): JSX.Element {
  const { id, target, state, problem, tools, unaccepted } = upstream;
  const waits = state === 'ready' && unaccepted > 0;
  const Icon = waits ? TriangleAlert : ICONS[state];
  const name = waits ? words.unaccepted(unaccepted) : words.states[state];
  return (
    <li class={`hop upstream ${waits ? 'warning' : CLASSES[state]}`}>
      <span class="mark" role="img" aria-label={name} title={name}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div>
        <b>
          <bdi>{reveal(id)}</bdi>
        </b>{' '}
        {state === 'ready' && <span class="quiet">{words.tools(tools)}</span>}
        <p>
          <code>{reveal(target)}</code>
        </p>
        {problem !== null && (
          <p class="quiet">
            <bdi>{reveal(problem)}</bdi>
          </p>
        )}
        {waits && <p class="fix">{words.unaccepted(unaccepted)}</p>}
        {state === 'ready' && tools > 0 && (
          <button
            type="button"
            class="small"
            aria-expanded={isShown}
            aria-label={isShown ? words.close : words.lookOf(reveal(id))}
            onClick={onShow}
          >
            {isShown ? words.close : words.look}
          </button>
        )}
        {children}
      </div>
    </li>
  );
}
