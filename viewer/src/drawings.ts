// What a stage can show of a run: its tree, the graph of its states, or its map.

import { type GraphLayout, graphOf } from "./graph_layout.ts";
import { nodeFor, paintGraph } from "./graph_picture.ts";
import { type Layout, layoutOf, nodeAt } from "./layout.ts";
import { GridImage, boundsOf, fittedMap, paintMap } from "./map_picture.ts";
import type { Painter } from "./painter.ts";
import type { Pane } from "./pane.tsx";
import { NONE, type Run } from "./run.ts";
import { type View, fitted, fittedRows, paintTree, rowHeight } from "./tree_picture.ts";

export type Kind = "map" | "tree" | "graph";
/** Larger graphs are not offered: nobody could follow their edges. */
export const MOST_STATES = 5000;

export interface Drawing {
  /** The view in which everything is seen. */
  fit(width: number, height: number): View;
  /** Pixels per unit downwards, at a scale. */
  rise(view: View, k?: number): number;
  /** Where a node is, in units. */
  placeOf(node: number): readonly [number, number];
  /** The node at a place in units; NONE if there is none. */
  nodeAt(x: number, y: number, view: View): number;
  paint(painter: Painter, view: View): void;
  /** The most nodes that it may have to draw; infinite where each frame has an image of its own. */
  readonly size: number;
  recolour(): void;
  /** Another object after each change that moves nodes. */
  readonly layout: unknown;
}

/** What can be shown of a run. */
export function kindsOf(run: Run): Kind[] {
  const kinds: Kind[] = run.recording.picture.kind === "map" ? ["map", "tree"] : ["tree"];
  return run.states <= MOST_STATES ? [...kinds, "graph"] : kinds;
}

export function drawingOf(kind: Kind, pane: Pane): Drawing {
  return kind === "map" ? new MapDrawing(pane) : kind === "graph" ? new GraphDrawing(pane) : new TreeDrawing(pane);
}

function sceneOf({ run, time, selected, palette }: Pane) {
  return { run, time: time.peek(), selected: selected.peek(), palette: palette.peek() };
}

/** A layout of the nodes of the current round, which is made anew if that or something else has changed. */
class Rounds<L> {
  private key = "";
  private known: L | null = null;

  constructor(private readonly pane: Pane) {}

  private get range(): [number, number] {
    const { run, time } = this.pane;
    const round = run.roundAt(time.peek());
    return [run.firstNodes[round], run.firstNodes[round + 1] ?? run.nodes];
  }

  get size(): number {
    const [first, end] = this.range;
    return end - first;
  }

  layout(more: string, make: (first: number, end: number) => L): L {
    const [first, end] = this.range;
    const key = `${first}:${end}:${more}`;
    if (this.known === null || this.key !== key) [this.key, this.known] = [key, make(first, end)];
    return this.known;
  }
}

class TreeDrawing implements Drawing {
  private readonly rounds: Rounds<Layout>;

  constructor(private readonly pane: Pane) {
    this.rounds = new Rounds(pane);
  }

  get size(): number {
    return this.rounds.size;
  }

  get layout(): Layout {
    const { run } = this.pane;
    const collapsed = this.pane.collapsed.peek();
    return this.rounds.layout([...collapsed].join(), (first, end) => layoutOf(run.parent, first, end, collapsed));
  }

  fit(width: number, height: number): View {
    return fitted(this.pane.run, this.layout, width, height);
  }

  rise(view: View, k = view.k): number {
    return rowHeight(this.pane.run, view, k);
  }

  placeOf(node: number): readonly [number, number] {
    return [this.layout.x[node], this.layout.depth[node]];
  }

  nodeAt(x: number, y: number): number {
    const depth = Math.round(y);
    return depth < 0 ? NONE : nodeAt(this.layout, x, depth);
  }

  paint(painter: Painter, view: View): void {
    paintTree(painter, { ...sceneOf(this.pane), layout: this.layout, view, collapsed: this.pane.collapsed.peek() });
  }

  recolour(): void {}
}

class GraphDrawing implements Drawing {
  private readonly rounds: Rounds<GraphLayout>;

  constructor(private readonly pane: Pane) {
    this.rounds = new Rounds(pane);
  }

  get size(): number {
    return this.rounds.size;
  }

  get layout(): GraphLayout {
    return this.rounds.layout("", (first, end) => graphOf(this.pane.run, first, end));
  }

  fit(width: number, height: number): View {
    return fittedRows(this.pane.run, this.layout.columns, this.layout.layers.length, width, height);
  }

  rise(view: View, k = view.k): number {
    return rowHeight(this.pane.run, view, k);
  }

  placeOf(node: number): readonly [number, number] {
    const state = this.pane.run.state[node];
    return [this.layout.x[state] ?? 0, Math.max(0, this.layout.layer[state] ?? 0)];
  }

  nodeAt(x: number, y: number): number {
    const { layers, x: columns } = this.layout;
    const state = layers[Math.round(y)]?.find((state) => Math.abs(columns[state] - x) <= 0.5);
    return state === undefined ? NONE : nodeFor(this.pane.run, this.layout, state, this.pane.time.peek());
  }

  paint(painter: Painter, view: View): void {
    paintGraph(painter, { ...sceneOf(this.pane), layout: this.layout, view });
  }

  recolour(): void {}
}

const NEAR = 12;

class MapDrawing implements Drawing {
  private grid: GridImage | null = null;
  readonly layout = null;

  constructor(private readonly pane: Pane) {}

  get size(): number {
    const { run } = this.pane;
    return run.recording.picture.blocked?.length ? Infinity : run.nodes;
  }

  fit(width: number, height: number): View {
    return fittedMap(boundsOf(this.pane.run), width, height);
  }

  rise(view: View, k = view.k): number {
    return k;
  }

  placeOf(node: number): readonly [number, number] {
    const { run } = this.pane;
    return [run.x![run.state[node]], run.y![run.state[node]]];
  }

  nodeAt(x: number, y: number, view: View): number {
    const { run, time } = this.pane;
    let [nearest, least] = [NONE, Math.max(0.5, NEAR / view.k)];
    for (let node = 0; node < run.nodes; node++) {
      if (run.born[node] >= time.peek()) continue;
      const distance = Math.hypot(run.x![run.state[node]] - x, run.y![run.state[node]] - y);
      if (distance < least) [nearest, least] = [node, distance];
    }
    return nearest;
  }

  paint(painter: Painter, view: View): void {
    const { run, time, palette, selected } = sceneOf(this.pane);
    if (run.recording.picture.blocked?.length) this.paintGrid(painter, view);
    paintMap(painter, run, time, view, palette, selected);
  }

  private paintGrid(painter: Painter, { x, y, k }: View): void {
    const { run, palette, time } = this.pane;
    this.grid ??= new GridImage(run, palette.peek());
    const image = this.grid.drawn(time.peek(), palette.peek());
    painter.image(image, { x: x - 0.5 * k, y: y - 0.5 * k, width: image.width * k, height: image.height * k });
  }

  recolour(): void {
    this.grid = null;
  }
}
