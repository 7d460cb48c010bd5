// The viewer of a recorded search, over the whole page; of one that still runs, too.

import { type Signal, effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type App, show } from "../app.tsx";
import type { Chunk } from "../format.ts";

/** A recording that grows: what the viewer was given at first, and the chunks that came since. */
export interface Growing {
  recording: { chunks: Chunk[]; dropped: number };
  isRunning: boolean;
}

export type Piece = { running: boolean } & ({ recordings: Growing["recording"][] } | { chunk: Chunk; dropped: number });

/** The recording with a piece that has arrived. */
export function grown(known: Growing | null, piece: Piece): Growing {
  if ("recordings" in piece) return { recording: piece.recordings[0], isRunning: piece.running };
  const { recording } = known!;
  recording.chunks.push(piece.chunk);
  recording.dropped = piece.dropped;
  return { recording, isRunning: piece.running };
}

export function Watch({ recording, close }: { recording: unknown; close: () => void }) {
  return <WatchGrowing growing={signal({ recording: recording as Growing["recording"], isRunning: false })} close={close} />;
}

export function WatchGrowing({ growing, close, children }: { growing: Signal<Growing | null>; close: () => void; children?: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current!;
    let [app, shown, chunks]: [App | null, unknown, number] = [null, null, 0];
    const end = effect(() => {
      const { value } = growing;
      if (!value) return;
      const { recording, isRunning } = value;
      if (recording !== shown) {
        app = show(element, [recording], { isRunning });
        [shown, chunks] = [recording, recording.chunks.length];
        return;
      }
      const added = recording.chunks.slice(chunks);
      chunks = recording.chunks.length;
      for (const chunk of added) app?.extend(chunk, recording.dropped, isRunning);
    });
    return () => {
      end();
      show(element, null);
    };
  }, [growing]);
  return (
    <div class="watch" role="dialog" aria-label="the search step by step">
      <div class="controls">
        {children}
        <button type="button" class="close" onClick={close}>Close</button>
      </div>
      <div class="viewer" ref={frame} />
    </div>
  );
}
