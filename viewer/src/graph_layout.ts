// Where the states of a search are drawn as a graph: in layers by their distance from the start, with few crossings.

import { NONE, type Run } from "./run.ts";

export interface GraphLayout {
  /** By state: its column and layer; NONE as the layer of a state that is not in the graph. */
  x: Float64Array;
  layer: Int32Array;
  /** The states of each layer from left to right. */
  layers: number[][];
  /** Pairs of states, each with the nodes that lead from one to the other. */
  edges: { from: number; to: number; nodes: number[] }[];
  /** By state, its nodes in the order of creation. */
  nodesOf: Map<number, number[]>;
  columns: number;
}

const SWEEPS = 12;

/**
 * Lays out the states of the nodes from `first` to `end`.
 *
 * A state stands in the layer of the fewest steps in which the search reached it; states that only the backward side of a
 * bidirectional search reached stand in layers from the bottom. Deterministic. Source: Sugiyama, Tagawa and Toda 1981, with
 * barycentres; the columns of a layer are the nearest to the means of the neighbours that keep a distance of 1, by pooling of
 * adjacent violators.
 */
export function graphOf(run: Run, first: number, end: number): GraphLayout {
  const states = Math.max(0, ...Array.from({ length: end - first }, (_, place) => run.state[first + place] + 1));
  const layout: GraphLayout = {
    x: new Float64Array(states),
    layer: new Int32Array(states).fill(NONE),
    layers: [],
    edges: [],
    nodesOf: new Map(),
    columns: 1,
  };
  setLayers(layout, run, first, end);
  const neighbours = setEdges(layout, run, first, end);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const order = layout.layers.map((_, place) => (isDown ? place : layout.layers.length - 1 - place));
    for (const layer of order) arrange(layout, neighbours, layer, isDown ? -1 : 1);
  }
  const columns = layout.layers.flat();
  const least = columns.reduce((low, state) => Math.min(low, layout.x[state]), Infinity);
  for (const state of columns) layout.x[state] -= least;
  layout.columns = columns.reduce((most, state) => Math.max(most, layout.x[state] + 1), 1);
  return layout;
}

/** Whether a node is a path to its state: not one of a move that was never tried. */
function isReached(run: Run, node: number): boolean {
  return !run.game || run.game.window[node] !== NONE;
}

function setLayers(layout: GraphLayout, run: Run, first: number, end: number): void {
  const depth = new Int32Array(end - first);
  const isBackward = new Uint8Array(end - first);
  const hasSides = run.recording.agenda.kind === "sides";
  const below = new Map<number, number>(); // by state of the backward side, the fewest steps from the goal
  let roots = 0;
  for (let node = first; node < end; node++) {
    const [parent, state] = [run.parent[node], run.state[node]];
    if (parent === NONE) isBackward[node - first] = Number(hasSides && roots++ > 0);
    else [depth[node - first], isBackward[node - first]] = [depth[parent - first] + 1, isBackward[parent - first]];
    if (!isReached(run, node)) continue;
    const nodes = layout.nodesOf.get(state);
    if (nodes) nodes.push(node);
    else layout.nodesOf.set(state, [node]);
    if (isBackward[node - first]) below.set(state, Math.min(below.get(state) ?? Infinity, depth[node - first]));
    else if (layout.layer[state] === NONE || depth[node - first] < layout.layer[state]) layout.layer[state] = depth[node - first];
  }
  const forward = layout.layer.reduce((most, layer) => Math.max(most, layer), 0);
  const backward = Math.max(0, ...below.values());
  const meeting = Math.max(...[...below].map(([state, steps]) => (layout.layer[state] === NONE ? 0 : layout.layer[state] + steps)), 0);
  const bottom = Math.max(meeting, forward, backward) + Number(!meeting && hasSides) * Math.min(forward, backward);
  for (const [state, steps] of below) if (layout.layer[state] === NONE) layout.layer[state] = bottom - steps;
  layout.layers = Array.from({ length: Math.max(0, ...layout.layer) + 1 }, () => []);
  for (const state of layout.nodesOf.keys()) layout.layers[layout.layer[state]].push(state);
  for (const layer of layout.layers) layer.forEach((state, place) => (layout.x[state] = place - (layer.length - 1) / 2));
}

/** The edges, each once, and for each state its neighbours. */
function setEdges(layout: GraphLayout, run: Run, first: number, end: number): Map<number, number[]> {
  const known = new Map<string, GraphLayout["edges"][number]>();
  const neighbours = new Map<number, number[]>();
  const add = (one: number, other: number) => {
    const list = neighbours.get(one);
    if (list) list.push(other);
    else neighbours.set(one, [other]);
  };
  for (let node = first; node < end; node++) {
    if (run.parent[node] === NONE || !isReached(run, node)) continue;
    const [one, other] = [run.state[run.parent[node]], run.state[node]];
    if (one === other) continue;
    const key = `${Math.min(one, other)}-${Math.max(one, other)}`;
    const edge = known.get(key);
    if (edge) edge.nodes.push(node);
    else {
      const made = { from: one, to: other, nodes: [node] };
      known.set(key, made);
      layout.edges.push(made);
      add(one, other);
      add(other, one);
    }
  }
  return neighbours;
}

/** Order a layer by the means of its neighbours on one side, and put it as near to them as the distance of 1 allows. */
function arrange(layout: GraphLayout, neighbours: Map<number, number[]>, layer: number, side: number): void {
  const states = layout.layers[layer];
  const wished = new Map<number, number>();
  for (const state of states) {
    const near = (neighbours.get(state) ?? []).filter((other) => Math.sign(layout.layer[other] - layer) === side);
    const sum = near.reduce((total, other) => total + layout.x[other], 0);
    wished.set(state, near.length ? sum / near.length : layout.x[state]);
  }
  const place = new Map(states.map((state, at) => [state, at]));
  states.sort((one, other) => wished.get(one)! - wished.get(other)! || place.get(one)! - place.get(other)!);
  const blocks: { sum: number; size: number }[] = [];
  states.forEach((state, at) => {
    blocks.push({ sum: wished.get(state)! - at, size: 1 });
    while (blocks.length > 1 && blocks.at(-2)!.sum / blocks.at(-2)!.size > blocks.at(-1)!.sum / blocks.at(-1)!.size) {
      const last = blocks.pop()!;
      blocks[blocks.length - 1] = { sum: blocks.at(-1)!.sum + last.sum, size: blocks.at(-1)!.size + last.size };
    }
  });
  let at = 0;
  for (const { sum, size } of blocks) for (let count = 0; count < size; count++, at++) layout.x[states[at]] = sum / size + at;
}
