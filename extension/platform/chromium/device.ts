import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Device, InputTarget, TabInput } from '../device.ts';
import type { Point } from '../../core/ports/page-answers.ts';
import type { SendOptions } from './debugger/send-command.ts';
import type { DebuggerLease } from './debugger/sessions.ts';

/** Opens the input of a tab; null if only scripts can give it any. */
export async function openInput({ attached }: InputTarget): Promise<TabInput | null> {
  if (attached === null) return null;
  const { lease, frames } = attached;
  return {
    drawingOf: async ({ frameId, scriptId }) => (frameId === 0 ? null : frames.of(scriptId)),
    device: (drawing, before) => deviceIn(lease, drawing, before),
    interceptDrags: (_from, onDrag) => interceptDrags(lease, onDrag),
    givesFiles: false,
    dropNote: null,
    release: () => lease.releaseInput(),
  };
}

/** Input to the documents that a session draws. */
function deviceIn(lease: DebuggerLease, sessionId: string | null, before: () => void): Device {
  const send = async (method: string, params: object, options: SendOptions): Promise<unknown> => {
    before();
    return lease.send(method, params, { sessionId, ...options });
  };
  const give = (method: string, params: object, options: SendOptions = {}): Promise<unknown> => {
    const sent = send(method, params, options);
    // If several are sent without waiting, the awaited one reports the failure.
    sent.catch(() => undefined);
    return sent;
  };
  const mouse = (type: string, { x, y }: Point, how: object): Promise<unknown> =>
    give('Input.dispatchMouseEvent', { type, x, y, ...how });
  return {
    move: (at, modifiers, isPressed = false) =>
      mouse('mouseMoved', at, { modifiers, ...(isPressed && { button: 'left', buttons: 1 }) }),
    press: (at, how) => mouse('mousePressed', at, how),
    release: (at, how) => mouse('mouseReleased', at, how),
    wheel: (at, by, modifiers) => mouse('mouseWheel', at, { deltaX: by.x, deltaY: by.y, modifiers }),
    touch: (phase, touchPoints, modifiers) => {
      const type = { start: 'touchStart', move: 'touchMove', end: 'touchEnd' }[phase];
      return give('Input.dispatchTouchEvent', { type, touchPoints, modifiers });
    },
    pinch: ({ x, y }, scaleFactor, timeoutMs) => {
      // After a pinch by touch, Chromium sends later touches to the page that it keeps for going back.
      const how = { x, y, scaleFactor, gestureSourceType: 'mouse' };
      return give('Input.synthesizePinchGesture', how, { timeoutMs });
    },
    key: (phase, { number, location = 0, text, isRepeat, command, ...how }) =>
      give('Input.dispatchKeyEvent', {
        type: phase === 'up' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
        ...how,
        windowsVirtualKeyCode: number,
        location,
        ...(text !== undefined && { text, unmodifiedText: text }),
        ...(command !== undefined && { commands: [command] }),
        ...(isRepeat === true && { autoRepeat: true }),
      }),
    // Older pages hear only keys: an input method ends its text with this one.
    insert: (text) =>
      Promise.all([
        give('Input.insertText', { text }),
        give('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Unidentified', windowsVirtualKeyCode: 229 }),
      ]),
    files: () => Promise.reject(new SpillwayError('unsupported_in_chromium', 'A script gives files there.')),
    drag: (phase, { x, y }, data, modifiers) => {
      const type = { enter: 'dragEnter', over: 'dragOver', drop: 'drop' }[phase];
      return give('Input.dispatchDragEvent', { type, x, y, data, modifiers });
    },
  };
}

function interceptDrags(
  lease: DebuggerLease,
  onDrag: (data: unknown) => void,
): ReturnType<TabInput['interceptDrags']> {
  const ignore = lease.onEvent(({ method, params }) => {
    if (method === 'Input.dragIntercepted') onDrag(params['data']);
  });
  // Sent to the tab's session: a frame's session accepts the command without intercepting.
  const set = (enabled: boolean): Promise<unknown> => lease.send('Input.setInterceptDrags', { enabled });
  const stop = (): Promise<unknown> => {
    ignore();
    return set(false);
  };
  return { started: set(true), stop };
}
