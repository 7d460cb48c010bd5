// The data that Python writes: see docs/viewer-format.md.

export type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array;

export interface Column {
  type: "u1" | "u4" | "i4" | "f8";
  data: string;
}

export interface Picture {
  kind: "board" | "map" | "text";
  /** Of the SVG pictures of states: the height as a part of the width. */
  aspect?: number;
  places?: [number, number][];
  lines?: [number, number, number, number][];
  blocked?: string[];
}

export interface Chunk {
  texts: string[];
  states: { text: Column; label: Column; cells?: Column; drawn?: Column; x?: Column; y?: Column; svg?: Column };
  nodes: Record<"parent" | "state" | "action" | "g" | "h" | "replaces", Column> & { value?: Column; window?: Column; side?: Column; mark?: Column };
  events: Record<"kind" | "node" | "agenda" | "bound" | "reason", Column> & { seconds?: Column };
  goals: { event: number; cost: number; path: number[] }[];
  waiting: { event: number; nodes: number[] }[];
}

export interface Recording {
  format: string;
  version: number;
  kind: "search" | "game";
  problem: string;
  instance: string;
  algorithm: string;
  evaluation: "f" | "g" | "h";
  weight: number;
  heuristic: string | null;
  agenda: { kind: "list" | "path" | "set" | "sides" | "levels"; order: ("f" | "g" | "h" | "value")[] };
  dropped: number;
  picture: Picture;
  chunks: Chunk[];
}

export const FORMAT = "bestfirst-view";
export const VERSION = 1;

/** What is written in base64. Without fromBase64, a loop takes a tenth of the time of Uint8Array.from(). */
export function bytesOf(written: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (written: string) => Uint8Array<ArrayBuffer> };
  if (fromBase64) return fromBase64.call(Uint8Array, written);
  const text = atob(written);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}

/** The numbers of a column. Columns are little-endian, as is every machine on which a browser runs. */
export function numbersOf(column: Column): Numbers {
  const bytes = bytesOf(column.data);
  if (column.type === "u4") return new Uint32Array(bytes.buffer);
  if (column.type === "i4") return new Int32Array(bytes.buffer);
  if (column.type === "f8") return new Float64Array(bytes.buffer);
  return bytes;
}

/** One column after another. */
export function joined<N extends Numbers>(one: N, other: N): N {
  if (!one.length) return other;
  const both = new (one.constructor as new (length: number) => N)(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** What was written as JSON and compressed with gzip. */
export async function unpacked(bytes: BufferSource): Promise<unknown> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Throws an Error with a sentence for the reader if this viewer cannot show the recording. */
export function checked(given: unknown): Recording {
  const recording = given as Partial<Recording> | null;
  if (recording?.format !== FORMAT) throw new Error("This file is not a recording of bestfirst.");
  if (recording.version !== VERSION) {
    throw new Error(`This recording has version ${recording.version}; this viewer shows version ${VERSION}.`);
  }
  return recording as Recording;
}
