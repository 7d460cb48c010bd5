// The viewer as a widget of a notebook, for anywidget: shows the pieces that bestfirst.viewer.widget sends, as they come.

import { type App, show } from "./app.tsx";
import { type Chunk, unpacked } from "./format.ts";

interface Model {
  get(name: string): unknown;
  on(event: string, call: () => void): void;
  off(event: string, call: () => void): void;
}

type Piece = { running: boolean } & ({ recordings: unknown[] } | { chunk: Chunk; dropped: number });

/** Shows the model in an element; returns what ends it. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const frame = document.createElement("div");
  const resize = () => (frame.style.height = `${model.get("height")}px`);
  resize();
  el.append(frame);
  let [taken, app, isOver]: [number, App | null, boolean] = [0, null, false];
  let queue = Promise.resolve();
  const take = () => {
    queue = queue.then(async () => {
      while (!isOver && taken < (model.get("pieces") as number)) {
        const bytes = model.get(`piece${taken}`) as DataView<ArrayBuffer> | undefined;
        if (!bytes) return; // it comes with the next change
        const piece = (await unpacked(bytes)) as Piece;
        taken++;
        if ("recordings" in piece) app = show(frame, piece.recordings, { keys: frame, isRunning: piece.running });
        else app?.extend(piece.chunk, piece.dropped, piece.running);
      }
    });
  };
  model.on("change:pieces", take);
  model.on("change:height", resize);
  take();
  return () => {
    isOver = true;
    model.off("change:pieces", take);
    model.off("change:height", resize);
    show(frame, null);
  };
}

export const widget = { render };
