import type { JSX } from 'preact';
import { toolNames } from '../../../../shared/tools/names.ts';
import { FaceBoundary } from '../../components/face-boundary.tsx';
import { GeneralInspector } from '../../components/general/inspector.tsx';
import type { FaceCall } from '../../tools/face.ts';
import { inspectorOf } from '../../tools/inspectors.ts';
import { useFacePlace } from './face-props.ts';

interface Props {
  readonly call: FaceCall;
}

/** The line of a call: its tool's Inspector. */
export function CallInspector({ call }: Props): JSX.Element {
  const props = { call, ...useFacePlace() };
  const names = toolNames(call.tool);
  const Face = names === null ? null : inspectorOf(names.identifier, names.api);
  const general = <GeneralInspector {...props} />;
  if (Face === null) return general;
  return (
    <FaceBoundary key={call.callId} name={`${call.tool} Inspector`} fallback={general}>
      <Face {...props} />
    </FaceBoundary>
  );
}
