import { joinBytes } from '../../core/ports/join-bytes.ts';

/** A frame as the encoder gave it. */
export interface Packet {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ms: number;
  readonly isKey: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Elements of Matroska by their ids (matroska.org, "Element Specifications"; RFC 9559). */
const ID = {
  ebml: 0x1a45dfa3,
  maxIdLength: 0x42f2,
  maxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

/** Each size and number takes eight bytes, so that places are known before they are written. */
const WIDE = 8;
const IS_KEY = 0x80;
const TRACK = 0x81;

function element(id: number, ...parts: readonly (Bytes | string | number)[]): Bytes {
  const contents = parts.map((part) =>
    typeof part === 'number'
      ? encodeNumber(part)
      : typeof part === 'string'
        ? new TextEncoder().encode(part)
        : part,
  );
  const size = contents.reduce((sum, { length }) => sum + length, 0);
  const head = encodeNumber(size);
  head[0] = 1;
  return joinBytes([encodeNumber(id).slice(WIDE - Math.ceil(Math.log2(id + 1) / 8)), head, ...contents]);
}

function encodeNumber(value: number): Bytes {
  const bytes = new Uint8Array(WIDE);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function floatOf(value: number): Bytes {
  const bytes = new Uint8Array(WIDE);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

/** Each begins with a key frame: a player seeks to it. */
function clustersOf(packets: readonly Packet[]): { readonly ms: number; readonly bytes: Bytes }[] {
  const groups: Packet[][] = [];
  for (const packet of packets)
    if (packet.isKey || groups.length === 0) groups.push([packet]);
    else groups.at(-1)?.push(packet);
  return groups.map((group) => {
    const from = group[0]?.ms ?? 0;
    const blocks = group.map(({ bytes, ms, isKey }) => {
      const head = new Uint8Array([TRACK, 0, 0, isKey ? IS_KEY : 0]);
      new DataView(head.buffer).setInt16(1, ms - from);
      return element(ID.simpleBlock, head, bytes);
    });
    return { ms: from, bytes: element(ID.cluster, element(ID.timestamp, from), ...blocks) };
  });
}

/** A WebM file of VP9 frames, key frames at most 32 s apart, that players can seek in. */
export function webmOf(
  packets: readonly Packet[],
  { width, height, durationMs }: Readonly<Record<'width' | 'height' | 'durationMs', number>>,
): Bytes {
  const clusters = clustersOf(packets);
  const info = element(
    ID.info,
    element(ID.timestampScale, 1_000_000),
    element(ID.duration, floatOf(durationMs)),
    element(ID.muxingApp, 'Spillway'),
    element(ID.writingApp, 'Spillway'),
  );
  const tracks = element(
    ID.tracks,
    element(
      ID.trackEntry,
      element(ID.trackNumber, 1),
      element(ID.trackUid, 1),
      element(ID.trackType, 1),
      element(ID.codecId, 'V_VP9'),
      element(ID.video, element(ID.pixelWidth, width), element(ID.pixelHeight, height)),
    ),
  );
  const cuesFrom = (first: number): Bytes => {
    let at = first;
    const points = clusters.map(({ ms, bytes }) => {
      const place = element(
        ID.cueTrackPositions,
        element(ID.cueTrack, 1),
        element(ID.cueClusterPosition, at),
      );
      at += bytes.length;
      return element(ID.cuePoint, element(ID.cueTime, ms), place);
    });
    return element(ID.cues, ...points);
  };
  const first = info.length + tracks.length + cuesFrom(0).length;
  const head = element(
    ID.ebml,
    element(ID.maxIdLength, 4),
    element(ID.maxSizeLength, 8),
    element(ID.docType, 'webm'),
    element(ID.docTypeVersion, 4),
    element(ID.docTypeReadVersion, 2),
  );
  return joinBytes([
    head,
    element(ID.segment, info, tracks, cuesFrom(first), ...clusters.map(({ bytes }) => bytes)),
  ]);
}
