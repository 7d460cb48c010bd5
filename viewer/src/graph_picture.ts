// Draws the states of a search as a graph, in which paths to the same state join.

import type { GraphLayout } from "./graph_layout.ts";
import { NodePainter, type Scene, solutionEdges } from "./node_picture.ts";
import type { Painter } from "./painter.ts";
import { NONE, type Run } from "./run.ts";
import { type View, boxOf, rowHeight } from "./tree_picture.ts";

export interface GraphScene extends Scene {
  layout: GraphLayout;
  view: View;
}

/** The node that says what has become of a state: the last path that was kept, otherwise the first; NONE before there is one. */
export function nodeFor(run: Run, layout: GraphLayout, state: number, time: number): number {
  let shown = NONE;
  for (const node of layout.nodesOf.get(state) ?? []) {
    const status = run.status(node, time);
    if (status === "unborn") break;
    if (status === "goal") return node;
    const isKept = status === "open" || status === "expanded";
    if (shown === NONE || isKept) shown = node;
  }
  return shown;
}

export function paintGraph(painter: Painter, scene: GraphScene): void {
  const { run, time, layout, view, palette, selected } = scene;
  const nodes = new NodePainter(painter, scene);
  const [row, size] = [rowHeight(run, view), boxOf(run, view)];
  const place = (state: number) => ({ x: view.x + layout.x[state] * view.k, y: view.y + layout.layer[state] * row, ...size });
  const line = (one: number, other: number): [number, number][] => {
    const [from, to] = [place(one), place(other)];
    const down = Math.sign(to.y - from.y);
    if (down) return [[from.x, from.y + (down * from.height) / 2 + (down > 0 ? size.caption : 0)], [to.x, to.y - (down * to.height) / 2 + (down < 0 ? size.caption : 0)]];
    const bend = from.y - from.height / 2 - 0.2 * row; // two states of a layer: over the top
    return [[from.x, from.y - from.height / 2], [(from.x + to.x) / 2, bend], [to.x, to.y - to.height / 2]];
  };
  const [kept, others]: [[number, number][][], [number, number][][]] = [[], []];
  for (const { from, to, nodes: paths } of layout.edges) {
    const born = paths.filter((node) => run.born[node] < time);
    if (!born.length) continue;
    const isKept = born.some((node) => ["open", "expanded", "goal"].includes(run.status(node, time)));
    (isKept ? kept : others).push(line(from, to));
  }
  const thickness = view.k < 12 ? 0.5 : 1;
  painter.lines(others, palette.edge, thickness);
  painter.lines(kept, palette.faint, 1.5 * thickness);
  const solution = solutionEdges(run, nodes.onSolution).map(([parent, node]) => line(run.state[parent], run.state[node]));
  painter.lines(solution, palette.solution, Math.max(2, Math.min(5, size.width / 16)));
  const framed: [number, number][] = [];
  for (const states of layout.layers) {
    for (const state of states) {
      const { x, y } = place(state);
      if (x + view.k < 0 || x - view.k > view.width || y + row < 0 || y - row > view.height) continue;
      const node = nodeFor(run, layout, state, time);
      if (node === NONE) continue;
      nodes.paint(node, place(state));
      for (const marked of [selected, nodes.current]) if (marked !== NONE && run.state[marked] === state && run.born[marked] < time) framed.push([marked, state]);
    }
  }
  for (const [node, state] of framed) {
    const { x, y, width, height } = place(state);
    const stroke = node === selected ? palette.selected : palette.current;
    const [wide, high] = [Math.max(10, width + 2), Math.max(10, height + 2)];
    painter.rect({ x: x - wide / 2, y: y - high / 2, width: wide, height: high }, { stroke, width: 3, radius: Math.min(5, wide / 8) });
  }
}
