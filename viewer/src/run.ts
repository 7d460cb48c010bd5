// A search as the viewer sees it: what is true after any number of its events.

import { type Chunk, type Numbers, type Recording, numbersOf } from "./format.ts";

export const KINDS = [
  "generate", "expand", "duplicate", "update", "reopen", "prune", "goal", "round", "bound", "limit", "end",
] as const;
export type Kind = (typeof KINDS)[number];
const [GENERATE, EXPAND, DUPLICATE, UPDATE, REOPEN, PRUNE, GOAL, ROUND] = KINDS.keys();
const IS_FATE = KINDS.map((_, kind) => [GENERATE, DUPLICATE, UPDATE, REOPEN, PRUNE].includes(kind));

export type Status = "unborn" | "open" | "expanded" | "duplicate" | "replaced" | "pruned" | "goal";
export const NONE = -1;
const NEVER = 0xffffffff;

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

export class Run {
  readonly texts: string[];
  readonly nodes: number;
  readonly events: number;
  readonly parent: Numbers;
  readonly state: Numbers;
  readonly g: Numbers;
  readonly h: Numbers;
  readonly kind: Numbers;
  readonly node: Numbers;
  /** By node, the event at which it first appears, is expanded, pruned, replaced, or is a goal. */
  readonly born: Uint32Array;
  readonly expandedAt: Uint32Array;
  readonly prunedAt: Uint32Array;
  readonly replacedAt: Uint32Array;
  readonly goalAt: Uint32Array;
  /** By node, the round (iteration) to which it belongs; by round, its first node and first event. */
  readonly round: Uint32Array;
  readonly firstNodes: number[];
  readonly firstEvents: number[];
  /** In games, by node: the texts of its value and window, and the side that moves there: 1 for max, 2 for min, 0 if unseen. */
  readonly game: { value: Numbers; window: Numbers; side: Numbers } | null = null;
  private readonly fate: Uint8Array;
  private readonly action: Numbers;
  private readonly agenda: Numbers;
  private readonly bound: Numbers;
  private readonly reason: Numbers;
  private readonly prefix: Record<keyof Counts, Uint32Array>;
  private readonly waiting: Map<number, number[]>;
  private readonly chunk: Chunk;
  private readonly stateText: Numbers;
  private readonly stateLabel: Numbers;
  private lastAgenda: { time: number; most: number; agenda: Agenda } | null = null;
  readonly cells: Numbers | null;
  readonly drawn: Numbers | null;
  readonly x: Numbers | null;
  readonly y: Numbers | null;
  /** By kind of event, the events of that kind. */
  readonly at: Record<Kind, number[]>;

  constructor(readonly recording: Recording) {
    if (recording.chunks.length !== 1) throw new Error("This recording has more than one chunk.");
    const chunk = (this.chunk = recording.chunks[0]);
    const optional = (name: "cells" | "drawn" | "x" | "y") => {
      const column = chunk.states[name];
      return column ? numbersOf(column) : null;
    };
    this.texts = chunk.texts;
    [this.stateText, this.stateLabel] = [numbersOf(chunk.states.text), numbersOf(chunk.states.label)];
    this.cells = optional("cells");
    this.drawn = optional("drawn");
    this.x = optional("x");
    this.y = optional("y");
    this.parent = numbersOf(chunk.nodes.parent);
    this.state = numbersOf(chunk.nodes.state);
    this.action = numbersOf(chunk.nodes.action);
    this.g = numbersOf(chunk.nodes.g);
    const { value, window, side } = chunk.nodes;
    if (value && window && side) this.game = { value: numbersOf(value), window: numbersOf(window), side: numbersOf(side) };
    this.h = numbersOf(chunk.nodes.h);
    this.kind = numbersOf(chunk.events.kind);
    this.node = numbersOf(chunk.events.node);
    this.agenda = numbersOf(chunk.events.agenda);
    this.bound = numbersOf(chunk.events.bound);
    this.reason = numbersOf(chunk.events.reason);
    this.nodes = this.parent.length;
    this.events = this.kind.length;
    const never = () => new Uint32Array(this.nodes).fill(NEVER);
    [this.born, this.expandedAt, this.prunedAt] = [never(), never(), never()];
    [this.replacedAt, this.goalAt, this.round] = [never(), never(), new Uint32Array(this.nodes)];
    this.fate = new Uint8Array(this.nodes);
    this.firstNodes = [0];
    this.firstEvents = [0];
    this.at = Object.fromEntries(KINDS.map((kind) => [kind, [] as number[]])) as Record<Kind, number[]>;
    const prefix = () => new Uint32Array(this.events + 1);
    this.prefix = { expanded: prefix(), generated: prefix(), duplicates: prefix(), reopened: prefix(), pruned: prefix() };
    this.follow(numbersOf(chunk.nodes.replaces));
    this.waiting = new Map(chunk.waiting.map(({ event, nodes }) => [event, nodes]));
  }

  /** Goes through the events once, and notes when what happens to each node. */
  private follow(replaces: Numbers): void {
    const hasFate = new Uint8Array(this.nodes);
    let round = 0;
    let last = NONE;
    for (let event = 0; event < this.events; event++) {
      const kind = this.kind[event];
      const node = this.node[event];
      this.at[KINDS[kind]].push(event);
      for (const counts of Object.values(this.prefix)) counts[event + 1] = counts[event];
      if (kind === ROUND && last !== NONE && this.at.round.length > 1) {
        round++;
        this.firstNodes.push(last + 1);
        this.firstEvents.push(event);
      }
      if (kind === EXPAND) this.prefix.expanded[event + 1]++;
      if (kind === PRUNE) this.prefix.pruned[event + 1]++;
      if (kind === REOPEN) this.prefix.reopened[event + 1]++;
      if (kind === DUPLICATE || kind === UPDATE || kind === REOPEN) this.prefix.duplicates[event + 1]++;
      if (node === NONE) continue;
      last = Math.max(last, node);
      if (this.born[node] === NEVER && kind !== GOAL) {
        this.born[node] = event;
        this.round[node] = round;
        this.fate[node] = kind;
        if (IS_FATE[kind] && replaces[node] !== NONE) this.replacedAt[replaces[node]] = event;
      }
      if (IS_FATE[kind] && !hasFate[node]) {
        hasFate[node] = 1;
        this.prefix.generated[event + 1]++;
      }
      if (kind === EXPAND && this.expandedAt[node] === NEVER) this.expandedAt[node] = event;
      if (kind === PRUNE) this.prunedAt[node] = event;
    }
    for (const goal of this.chunk.goals) {
      const end = goal.path.at(-1);
      if (end !== undefined) this.goalAt[end] = Math.min(this.goalAt[end], goal.event);
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

  /** The round (iteration) of the last of `time` events. */
  roundAt(time: number): number {
    return Math.max(0, lastBelow(this.firstEvents, time));
  }

  /** The best goal found within `time` events. */
  goalWithin(time: number): { event: number; cost: number; path: number[] } | null {
    const place = lastBelow(this.chunk.goals.map((goal) => goal.event), time);
    return place < 0 ? null : this.chunk.goals[place];
  }

  /** In games: the value of a node if it is known after `time` events, otherwise its window; and whose move it is. */
  inGame(node: number, time: number): { side: string; words: string } {
    const { value, window, side } = this.game!;
    const isKnown = this.expandedAt[node] < time && value[node] !== NONE;
    const text = isKnown ? value[node] : window[node];
    return { side: ["", "max", "min"][side[node]], words: text === NONE ? "" : this.texts[text] };
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
      this.lastAgenda = { time, most, agenda: this.newAgenda(time, most) };
    }
    const { nodes, length, isOrdered } = this.lastAgenda.agenda;
    return { nodes: nodes.slice(0, most), length, isOrdered };
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
