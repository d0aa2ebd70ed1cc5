import { render } from 'preact';
import '../../../extension/ui/frame/panel.css';
import { GeneralIntervention } from '../../../extension/ui/edit-form.tsx';
import { ActionsContext } from '../../../extension/ui/kit.tsx';
import { WordsContext } from '../../../extension/ui/words/use-texts.ts';
import { interventionOf } from '../../../extension/ui/faces/faces.tsx';
import type { FaceActions, Intervention } from '../../../extension/ui/faces/face.ts';
import { CallFace, CallPortal, CallInspector } from '../../../extension/ui/frame/call-face.tsx';
import { formatIn } from '../../../extension/ui/words/locale.ts';
import { addTranslation } from '../../../extension/ui/words/catalogue.ts';
import chinese from '../../../extension/ui/words/zh-CN.json' with { type: 'json' };
import type { GalleryPiece, GalleryView } from './gallery.ts';
import './gallery.css';

/* Many faces at once, as the panel shows each of them. */

addTranslation('zh-CN', chinese);

const root = document.createElement('main');
document.body.append(root);

const actions: FaceActions = {
  openLink: () => undefined,
  openOutput: () => undefined,
  openRun: () => undefined,
  page: null,
  recipes: null,
};

async function loadFace({ surface, call }: GalleryPiece): Promise<Intervention | 'streaming' | null> {
  if (surface !== 'Intervention') {
    // Loaded beforehand, so that nothing is pending when it is inspected.
    await import('../../../extension/ui/run-facts.tsx');
    return null;
  }
  return (await interventionOf(call.tool)?.()) ?? GeneralIntervention;
}

async function show({ pieces, language }: GalleryView): Promise<void> {
  const asked = await Promise.all(pieces.map(loadFace));
  formatIn(language, language);
  document.documentElement.lang = language;
  render(null, root);
  render(
    <WordsContext.Provider value={language}>
      <ActionsContext.Provider value={actions}>
        <h1 class="unseen">Faces</h1>
        {pieces.map((piece, at) => (
          <section
            key={at}
            class="piece"
            data-piece={piece.name}
            data-waits={piece.answer === 'reading' || piece.answer === null ? '' : undefined}
            aria-label={piece.name}
          >
            <h2>{piece.name}</h2>
            <div class={piece.surface === 'Intervention' ? 'args detail' : 'detail'}>
              <Face piece={piece} asked={asked[at] ?? null} />
            </div>
          </section>
        ))}
      </ActionsContext.Provider>
    </WordsContext.Provider>,
    root,
  );
}

type FaceProps = { readonly piece: GalleryPiece; readonly asked: Intervention | 'streaming' | null };

function Face({ piece, asked: Asked }: FaceProps) {
  const { surface, call, answer, args = {}, isLost = false } = piece;
  if (surface === 'Inspector')
    return (
      <p class="inspected">
        <CallInspector call={call} />
      </p>
    );
  if (surface === 'Intervention' && typeof Asked === 'function')
    return <Asked args={args} onEdit={() => undefined} />;
  if (surface === 'Portal' && answer !== null && answer !== 'reading')
    return <CallPortal call={call} answer={answer} />;
  return <CallFace call={call} answer={answer} failed={null} items={[]} isLost={isLost} />;
}

Object.assign(globalThis, { gallery: { show } });
