import type { Flow } from '../walk/level.ts';
import type { FrameMark } from '../protocol.ts';
import type { FramePlace, Writer } from '../write/writer.ts';
import type { Recording } from './recording.ts';

/** Lets a recording see what a writer is given. */
export class RecordingWriter implements Writer {
  readonly #writer: Writer;
  readonly #recording: Recording;

  constructor(writer: Writer, recording: Recording) {
    this.#writer = writer;
    this.#recording = recording;
  }

  enter(el: Element, tag: string, flow: Flow): boolean {
    this.#recording.open(el, tag);
    if (this.#writer.enter(el, tag, flow)) return true;
    this.#recording.close();
    return false;
  }

  leave(el: Element, tag: string, flow: Flow): void {
    this.#writer.leave(el, tag, flow);
    this.#recording.close();
  }

  text(data: string, isRaw: boolean): void {
    this.#recording.text(data);
    this.#writer.text(data, isRaw);
  }

  space(): void {
    this.#writer.space();
  }

  enterFrame(origin: string, name: string): void {
    this.#writer.enterFrame(origin, name);
  }

  leaveFrame(origin: string): void {
    this.#writer.leaveFrame(origin);
  }

  frame(make: (place: FramePlace) => FrameMark): void {
    this.#writer.frame(make);
  }

  finish(): void {
    this.#writer.finish();
  }
}
