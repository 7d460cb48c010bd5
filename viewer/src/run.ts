// A search as the viewer sees it: what is true after any number of its events.

import { signal } from "@preact/signals";
import { type Chunk, type Numbers, type Recording, joined, numbersOf } from "./format.ts";

export const KINDS = [
  "generate", "expand", "duplicate", "update", "reopen", "prune", "goal", "round", "bound", "limit", "end",
] as const;
export type Kind = (typeof KINDS)[number];
const [GENERATE, EXPAND, DUPLICATE, UPDATE, REOPEN, PRUNE, GOAL, ROUND] = KINDS.keys();
const IS_FATE = KINDS.map((_, kind) => [GENERATE, DUPLICATE, UPDATE, REOPEN, PRUNE].includes(kind));

export type Status = "unborn" | "open" | "expanded" | "duplicate" | "replaced" | "pruned" | "goal";
export const NONE = -1;
const NEVER = 0xffffffff;
export const MICROSECONDS = 1e6;
/** As many nodes of the agenda as are listed at once. */
export const USUAL = 60;

export interface Counts {
  expanded: number;
  generated: number;
  duplicates: number;
  reopened: number;
  pruned: number;
}

export interface Agenda {
  nodes: number[];
  length: number;
  isOrdered: boolean;
}

/** A part of the agenda: a frontier of a bidirectional search, or a level of a beam. */
export interface Part extends Agenda {
  name: string;
}

const COUNTS = ["expanded", "generated", "duplicates", "reopened", "pruned"] as const;
const PICTURES = ["cells", "drawn", "x", "y", "svg"] as const;
/** In place of the SVG picture of a state for which the recording had no room. */
const LEFT_OUT = -2;
/** Whether a node of a game was searched more deeply than its siblings, or is beyond the horizon. */
export const MARKS = ["", "extended", "quiescence"] as const;

export class Run {
  readonly texts: string[] = [];
  nodes = 0;
  events = 0;
  /** The number of chunks so far: what is drawn depends on it. */
  readonly chunks = signal(0);
  parent: Numbers = new Int32Array();
  state: Numbers = new Uint32Array();
  g: Numbers = new Float64Array();
  h: Numbers = new Float64Array();
  kind: Numbers = new Uint8Array();
  node: Numbers = new Int32Array();
  /** By event, when it happened, in whole microseconds since the search began; null if that was not recorded. */
  moments: Numbers | null = null;
  /** By node, the event at which it first appears, is expanded, pruned, replaced, or is a goal. */
  born = new Uint32Array();
  expandedAt = new Uint32Array();
  prunedAt = new Uint32Array();
  replacedAt = new Uint32Array();
  goalAt = new Uint32Array();
  /** By node, the round (iteration that begins anew) to which it belongs; by round, its first node and first event. */
  round = new Uint32Array();
  readonly firstNodes: number[] = [0];
  readonly firstEvents: number[] = [0];
  /** In games, by node: the texts of its value and window, the side that moves there (1 for max, 2 for min, 0 if unseen), its mark. */
  game: { value: Numbers; window: Numbers; side: Numbers; mark: Numbers } | null = null;
  private fate = new Uint8Array();
  private hasFate = new Uint8Array();
  private action: Numbers = new Int32Array();
  private agenda: Numbers = new Uint32Array();
  private bound: Numbers = new Float64Array();
  private reason: Numbers = new Int32Array();
  private readonly prefix = Object.fromEntries(COUNTS.map((name) => [name, new Uint32Array(1)])) as Record<keyof Counts, Uint32Array<ArrayBuffer>>;
  private readonly waiting = new Map<number, number[]>();
  private readonly goals: Chunk["goals"] = [];
  private stateText: Numbers = new Uint32Array();
  private stateLabel: Numbers = new Uint32Array();
  private last = NONE;
  private links: ReturnType<typeof linksOf> | null = null;
  private lastAgenda: { time: number; most: number; agenda: Agenda } | null = null;
  cells: Numbers | null = null;
  drawn: Numbers | null = null;
  x: Numbers | null = null;
  y: Numbers | null = null;
  private svg: Numbers | null = null;
  /** By kind of event, the events of that kind. */
  readonly at = Object.fromEntries(KINDS.map((kind) => [kind, [] as number[]])) as Record<Kind, number[]>;

  /** The number of states. */
  get states(): number {
    return this.stateText.length;
  }

  constructor(readonly recording: Recording) {
    for (const chunk of recording.chunks) this.extend(chunk);
  }

  /** Adds what the search did next. */
  extend(chunk: Chunk): void {
    const { states, nodes, events } = chunk;
    for (const text of chunk.texts) this.texts.push(text);
    this.stateText = joined(this.stateText, numbersOf(states.text));
    this.stateLabel = joined(this.stateLabel, numbersOf(states.label));
    for (const name of PICTURES) {
      const column = states[name];
      if (column) this[name] = this[name] ? joined(wide(this[name]), wide(numbersOf(column))) : numbersOf(column);
    }
    for (const name of ["parent", "state", "action", "g", "h"] as const) this[name] = joined(this[name], numbersOf(nodes[name]));
    if (nodes.value && nodes.window && nodes.side) {
      const [value, window, side] = [nodes.value, nodes.window, nodes.side].map(numbersOf);
      const mark = nodes.mark ? numbersOf(nodes.mark) : new Uint8Array(side.length);
      const { game } = this;
      this.game = game
        ? { value: joined(game.value, value), window: joined(game.window, window), side: joined(game.side, side), mark: joined(game.mark, mark) }
        : { value, window, side, mark };
    }
    for (const name of ["kind", "node", "agenda", "bound", "reason"] as const) this[name] = joined(this[name], numbersOf(events[name]));
    const [from, added] = [this.events, this.parent.length - this.nodes];
    const moments = momentsOf(chunk);
    if (this.chunks.value === 0) this.moments = moments;
    else if (this.moments && moments) this.moments = joined(this.moments, moments);
    else if (this.moments || moments) throw new Error("This recording is damaged: only a part of it has times.");
    [this.nodes, this.events] = [this.parent.length, this.kind.length];
    const never = new Uint32Array(added).fill(NEVER);
    for (const name of ["born", "expandedAt", "prunedAt", "replacedAt", "goalAt"] as const) this[name] = joined(this[name], never.slice());
    this.round = joined(this.round, new Uint32Array(added));
    this.fate = joined(this.fate, new Uint8Array(added));
    this.hasFate = joined(this.hasFate, new Uint8Array(added));
    for (const name of COUNTS) this.prefix[name] = joined(this.prefix[name], new Uint32Array(this.events - from));
    this.follow(from, numbersOf(nodes.replaces));
    for (const { event, nodes } of chunk.waiting) this.waiting.set(event, nodes);
    for (const goal of chunk.goals) {
      this.goals.push(goal);
      const end = goal.path.at(-1);
      if (end !== undefined) this.goalAt[end] = Math.min(this.goalAt[end], goal.event);
    }
    [this.lastAgenda, this.links] = [null, null];
    this.chunks.value++;
  }

  /** Goes through the events from `from` once, and notes when what happens to each node; `replaces` is of the last nodes. */
  private follow(from: number, replaces: Numbers): void {
    const { fate, hasFate, prefix } = this;
    const { expanded, generated, duplicates, reopened, pruned } = prefix;
    const firstAdded = this.nodes - replaces.length;
    let round = this.firstNodes.length - 1;
    for (let event = from; event < this.events; event++) {
      const kind = this.kind[event];
      const node = this.node[event];
      this.at[KINDS[kind]].push(event);
      if (kind === ROUND && node !== NONE && this.last !== NONE && this.at.round.length > 1) {
        round++;
        this.firstNodes.push(this.last + 1);
        this.firstEvents.push(event);
      }
      expanded[event + 1] = expanded[event] + Number(kind === EXPAND);
      pruned[event + 1] = pruned[event] + Number(kind === PRUNE);
      reopened[event + 1] = reopened[event] + Number(kind === REOPEN);
      duplicates[event + 1] = duplicates[event] + Number(kind === DUPLICATE || kind === UPDATE || kind === REOPEN);
      generated[event + 1] = generated[event];
      if (node === NONE) continue;
      this.last = Math.max(this.last, node);
      if (this.born[node] === NEVER && kind !== GOAL) {
        this.born[node] = event;
        this.round[node] = round;
        fate[node] = kind;
        const replaced = replaces[node - firstAdded];
        if (IS_FATE[kind] && replaced !== NONE) this.replacedAt[replaced] = event;
      }
      if (IS_FATE[kind] && !hasFate[node]) {
        hasFate[node] = 1;
        generated[event + 1]++;
      }
      if (kind === EXPAND && this.expandedAt[node] === NEVER) this.expandedAt[node] = event;
      if (kind === PRUNE) this.prunedAt[node] = event;
    }
  }

  /** What a node is after `time` events. */
  status(node: number, time: number): Status {
    if (this.born[node] >= time) return "unborn";
    if (this.goalAt[node] < time) return "goal";
    if (this.prunedAt[node] < time) return "pruned";
    if (this.fate[node] === DUPLICATE) return "duplicate";
    if (this.expandedAt[node] < time) return "expanded";
    return this.replacedAt[node] < time ? "replaced" : "open";
  }

  /** Whether a node enters the agenda. */
  isKept(node: number): boolean {
    return this.fate[node] !== DUPLICATE && (this.fate[node] !== PRUNE || this.expandedAt[node] !== NEVER);
  }

  /** The counts after `time` events, as the statistics of the search have them. */
  counts(time: number): Counts {
    const { expanded, generated, duplicates, reopened, pruned } = this.prefix;
    return {
      expanded: expanded[time],
      generated: generated[time],
      duplicates: duplicates[time],
      reopened: reopened[time],
      pruned: pruned[time],
    };
  }

  /** The number of nodes on the agenda at the last of `time` events. */
  waitingAt(time: number): number {
    return time === 0 ? 0 : this.agenda[time - 1];
  }

  /** The number of nodes on the agenda after `time` events, as far as the events tell; otherwise that at the last event. */
  openAt(time: number): number {
    return this.recording.agenda.kind === "list" ? this.agendaAt(time, 1).length : this.waitingAt(time);
  }

  /** The lower bound on the cost of a solution. */
  boundAt(time: number): number {
    return time === 0 ? 0 : this.bound[time - 1];
  }

  /** The iteration after `time` events, from 0. Unlike a round, it may continue with the nodes of those before. */
  iterationAt(time: number): number {
    return Math.max(0, lastBelow(this.at.round, time));
  }

  /** The round of the last of `time` events: an iteration that began the search anew, or the whole search. */
  roundAt(time: number): number {
    return Math.max(0, lastBelow(this.firstEvents, time));
  }

  /** The best goal found within `time` events. */
  goalWithin(time: number): { event: number; cost: number; path: number[] } | null {
    const place = lastBelow(this.goals.map((goal) => goal.event), time);
    return place < 0 ? null : this.goals[place];
  }

  /** In games: the value of a node if it is known after `time` events, otherwise its window; and whose move it is. */
  inGame(node: number, time: number): { side: string; words: string } {
    const { value, window, side } = this.game!;
    const isKnown = this.expandedAt[node] < time && value[node] !== NONE;
    const text = isKnown ? value[node] : window[node];
    return { side: ["", "max", "min"][side[node]], words: text === NONE ? "" : this.texts[text] };
  }

  /** The number of steps from the root of a node's tree. */
  depthOf(node: number): number {
    let depth = 0;
    for (let above = this.parent[node]; above !== NONE; above = this.parent[above]) depth++;
    return depth;
  }

  /** The root of a node's tree. */
  rootOf(node: number): number {
    let root = node;
    while (this.parent[root] !== NONE) root = this.parent[root];
    return root;
  }

  /** The children of a node that exist after `time` events (NONE: the roots of its round). */
  childrenAt(node: number, time: number): number[] {
    this.links ??= linksOf(this.parent);
    const { firstChild, nextSibling, roots } = this.links;
    const children: number[] = [];
    if (node === NONE) {
      const round = this.roundAt(time);
      const [first, end] = [this.firstNodes[round], this.firstNodes[round + 1] ?? this.nodes];
      return roots.filter((root) => root >= first && root < end && this.born[root] < time);
    }
    for (let child = firstChild[node]; child !== NONE && this.born[child] < time; child = nextSibling[child]) children.push(child);
    return children;
  }

  /** What distinguishes an iteration, such as its bound; null if there is one only. */
  headingOf(iteration: number): string | null {
    const event = this.at.round[iteration];
    return event === undefined ? null : this.reasonAt(event);
  }

  /** The value by which the algorithm selects nodes. */
  value(node: number): number {
    const { evaluation, weight } = this.recording;
    if (evaluation === "g") return this.g[node];
    return evaluation === "h" ? this.h[node] : this.g[node] + weight * this.h[node];
  }

  f(node: number): number {
    return this.g[node] + this.h[node];
  }

  /** The first nodes on the agenda after `time` events, the next one first, their number, and whether they leave in that order. */
  agendaAt(time: number, most: number): Agenda {
    if (this.lastAgenda?.time !== time || this.lastAgenda.most < most) {
      const enough = Math.max(most, USUAL);
      this.lastAgenda = { time, most: enough, agenda: this.newAgenda(time, enough) };
    }
    const { nodes, length, isOrdered } = this.lastAgenda.agenda;
    return { nodes: nodes.slice(0, most), length, isOrdered };
  }

  /** The agenda in the parts that the algorithm has: two frontiers, or the levels of a beam; otherwise one part. */
  partsAt(time: number, most: number): Part[] {
    const { kind } = this.recording.agenda;
    const whole = this.agendaAt(time, kind === "sides" || kind === "levels" ? Infinity : most);
    if (kind !== "sides" && kind !== "levels") return [{ name: "", ...whole }];
    const parts = new Map<number, number[]>();
    const first = this.firstNodes[this.roundAt(time)];
    for (const node of whole.nodes) {
      const part = kind === "levels" ? this.depthOf(node) : Number(this.rootOf(node) !== first);
      const nodes = parts.get(part);
      if (nodes) nodes.push(node);
      else parts.set(part, [node]);
    }
    const numbers = kind === "sides" ? [0, 1] : [...parts.keys()].sort((one, other) => one - other);
    return numbers.map((part) => {
      const nodes = parts.get(part) ?? [];
      const name = kind === "levels" ? `Level ${part}` : ["Forward frontier", "Backward frontier"][part];
      return { name, nodes: nodes.slice(0, most), length: nodes.length, isOrdered: whole.isOrdered };
    });
  }

  private newAgenda(time: number, most: number): Agenda {
    const { kind } = this.recording.agenda;
    const recorded = kind === "path" ? this.pathAt(time) : this.waiting.get(time - 1);
    if (recorded) return { nodes: recorded, length: recorded.length, isOrdered: true };
    const round = this.roundAt(time);
    const first = new First(most, (one, other) => this.isBefore(one, other));
    const end = this.firstNodes[round + 1] ?? this.nodes;
    let length = 0;
    for (let node = this.firstNodes[round]; node < end && this.born[node] < time; node++) {
      if (this.status(node, time) !== "open") continue;
      length++;
      first.add(node);
    }
    return { nodes: first.all, length, isOrdered: kind === "list" };
  }

  private isBefore(one: number, other: number): boolean {
    for (const name of this.recording.agenda.order) {
      const difference = this.number(name, one) - this.number(name, other);
      if (difference !== 0) return difference < 0;
    }
    return this.born[one] < this.born[other];
  }

  /** What puts a node behind another one with the same first number: the name of the number that differs, or null for the time of entry. */
  tieBreak(first: number, second: number): string | null | undefined {
    const { order } = this.recording.agenda;
    const place = order.findIndex((name) => this.number(name, first) !== this.number(name, second));
    if (place === 0) return undefined; // no tie
    return place < 0 ? null : order[place];
  }

  /** The nodes of the current round that are expanded after `time` events, the last one first, up to a number; and how many there are. */
  closedAt(time: number, most: number): { nodes: number[]; length: number } {
    const { expand } = this.at;
    const first = this.firstEvents[this.roundAt(time)];
    const nodes: number[] = [];
    let length = 0;
    for (let place = lastBelow(expand, time); place >= 0 && expand[place] >= first; place--) {
      length++;
      if (nodes.length < most) nodes.push(this.node[expand[place]]);
    }
    return { nodes, length };
  }

  private number(name: "f" | "g" | "h" | "value", node: number): number {
    if (name === "value") return this.value(node);
    return name === "f" ? this.f(node) : name === "g" ? this.g[node] : this.h[node];
  }

  /** The path to the node of the last of `time` events, from its root. */
  private pathAt(time: number): number[] {
    const path: number[] = [];
    for (let node = this.currentAt(time); node !== NONE; node = this.parent[node]) path.push(node);
    return path.reverse();
  }

  /** The node of the last of `time` events that concerns a node. */
  currentAt(time: number): number {
    for (let event = time - 1; event >= 0; event--) if (this.node[event] !== NONE) return this.node[event];
    return NONE;
  }

  /** The node expanded last, whose children the events concern. */
  expandedLast(time: number): number {
    const place = lastBelow(this.at.expand, time);
    return place < 0 ? NONE : this.node[this.at.expand[place]];
  }

  kindAt(event: number): Kind {
    return KINDS[this.kind[event]];
  }

  reasonAt(event: number): string | null {
    return this.reason[event] === NONE ? null : this.texts[this.reason[event]];
  }

  /** Why a node was pruned. */
  whyPruned(node: number): string | null {
    return this.prunedAt[node] === NEVER ? null : this.reasonAt(this.prunedAt[node]);
  }

  name(node: number): string {
    return this.texts[this.stateText[this.state[node]]];
  }

  label(node: number): string {
    return this.texts[this.stateLabel[this.state[node]]];
  }

  /** The SVG picture of the state of a node; null if it has none. */
  svgOf(node: number): string | null {
    return this.texts[this.svg?.[this.state[node]] ?? NONE] ?? null;
  }

  /** Whether the state of a node would have an SVG picture, had there been room for it. */
  isLeftOut(node: number): boolean {
    return this.svg?.[this.state[node]] === LEFT_OUT;
  }

  actionOf(node: number): string | null {
    return this.action[node] === NONE ? null : this.texts[this.action[node]];
  }

  /** The nodes whose state is written with these words, in order of creation, up to a number. */
  find(words: string, most: number): number[] {
    const wanted = words.trim().toLowerCase();
    const found: number[] = [];
    for (let node = 0; wanted && node < this.nodes && found.length < most; node++) {
      if (this.name(node).toLowerCase().includes(wanted)) found.push(node);
    }
    return found;
  }
}

/** The times of the events of a chunk in microseconds; null if it has none. */
function momentsOf({ events }: Chunk): Numbers | null {
  if (!events.seconds) return null;
  const moments = numbersOf(events.seconds).map((seconds) => Math.round(seconds * MICROSECONDS));
  if (moments.length !== numbersOf(events.kind).length || moments.some((moment, event) => !(moment >= (moments[event - 1] ?? 0)))) {
    throw new Error("This recording is damaged: each event needs its time, and times never fall.");
  }
  return moments;
}

/** By node, its first child and its next sibling; and the roots. */
function linksOf(parent: Numbers): { firstChild: Int32Array; nextSibling: Int32Array; roots: number[] } {
  const [firstChild, nextSibling] = [new Int32Array(parent.length).fill(NONE), new Int32Array(parent.length).fill(NONE)];
  const roots: number[] = [];
  for (let node = parent.length - 1; node >= 0; node--) {
    const above = parent[node];
    if (above === NONE) roots.push(node);
    else [nextSibling[node], firstChild[above]] = [firstChild[above], node];
  }
  return { firstChild, nextSibling, roots: roots.reverse() };
}

/** Small numbers in as many bytes as large ones: the columns of two chunks may differ in that. */
function wide(numbers: Numbers): Numbers {
  return numbers instanceof Uint8Array ? Uint32Array.from(numbers) : numbers;
}

/** The first of many nodes in an order. */
class First {
  readonly all: number[] = [];

  constructor(
    private readonly most: number,
    private readonly isBefore: (one: number, other: number) => boolean,
  ) {}

  add(node: number): void {
    const { all, most, isBefore } = this;
    if (all.length === most && !isBefore(node, all[most - 1])) return;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(node, all[middle])) high = middle;
      else low = middle + 1;
    }
    all.splice(low, 0, node);
    if (all.length > most) all.pop();
  }
}

/** The place of the last number below a limit in an ascending list; -1 if there is none. */
export function lastBelow(ascending: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
