import { render } from 'preact';
import '../../../extension/panel/panel.css';
import { CallFace, CallPortal } from '../../../extension/panel/view/faces/call-face.tsx';
import { CallInspector } from '../../../extension/panel/view/faces/call-inspector.tsx';
import { ActionsContext } from '../../../extension/panel/view/faces/face-props.ts';
import { WordsContext } from '../../../extension/panel/components/words.ts';
import { interventionOf } from '../../../extension/panel/tools/interventions.ts';
import { GeneralIntervention } from '../../../extension/panel/components/general/intervention.tsx';
import { texts } from '../../../extension/panel/words/texts.ts';
import { toolNames } from '../../../shared/tools/names.ts';
import type { Intervention } from '../../../extension/panel/tools/face.ts';
import type { ShownFace } from './face-page.ts';

/* One face at a time, as the panel shows it: what a test passes is what a server would have answered. */

const root = document.createElement('main');
root.className = 'detail';
root.style.maxHeight = 'none';
document.body.append(root);

const opened: string[] = [];

async function show(shown: ShownFace): Promise<void> {
  const { call, answer, language = 'en', isLost = false, surface = 'face', args = {} } = shown;
  const actions = {
    openLink: (href: string) => void opened.push(`link ${href}`),
    openOutput: (handle: string) => void opened.push(`output ${handle}`),
    openRun: (run: string) => void opened.push(`run ${run}`),
    openPortal: null,
    page: null,
    recipes: null,
  };
  const names = toolNames(call.tool);
  const Asked: Intervention | null =
    surface === 'intervention' && names !== null
      ? ((await interventionOf(names.identifier, names.api)?.()) ?? GeneralIntervention)
      : GeneralIntervention;
  const strings = texts[language];
  render(null, root);
  render(
    <WordsContext.Provider value={language}>
      <ActionsContext.Provider value={actions}>
        {surface === 'inspector' && <CallInspector call={call} />}
        {surface === 'face' && (
          <CallFace
            call={call}
            answer={answer}
            failed={null}
            items={[]}
            isLost={isLost}
            strings={strings}
            onQuestion={null}
          />
        )}
        {surface === 'portal' && answer !== null && answer !== 'reading' && (
          <CallPortal call={call} answer={answer} strings={strings} />
        )}
        {surface === 'intervention' && (
          <Asked tool={call.tool} args={args} onEdit={null} language={language} actions={actions} />
        )}
      </ActionsContext.Provider>
    </WordsContext.Provider>,
    root,
  );
}

Object.assign(globalThis, { facePage: { show, opened } });
