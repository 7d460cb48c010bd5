// Draws a search on its map: what was explored, the frontier, and the path.

import type { Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import { NONE, type Run } from "./run.ts";
import type { View } from "./tree_picture.ts";
import { nodeInWords } from "./words.ts";

export interface Bounds {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What the map covers: the places of all states, and what lies beneath them. */
export function boundsOf(run: Run): Bounds {
  const { blocked, lines } = run.recording.picture;
  if (blocked?.length) return { left: -0.5, top: -0.5, width: blocked[0].length, height: blocked.length };
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  const include = (y: number, x: number) => {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  };
  run.x!.forEach((x, state) => include(run.y![state], x));
  for (const [y, x, otherY, otherX] of lines ?? []) {
    include(y, x);
    include(otherY, otherX);
  }
  const margin = 0.06 * Math.max(right - left, bottom - top, 1e-9);
  return { left: left - margin, top: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

export function fittedMap(bounds: Bounds, width: number, height: number): View {
  const k = Math.min((width - 16) / bounds.width, (height - 16) / bounds.height);
  const x = (width - bounds.width * k) / 2 - bounds.left * k;
  return { x, y: (height - bounds.height * k) / 2 - bounds.top * k, k, width, height };
}

type Colour = readonly [number, number, number];
/** From blue over green to yellow, evenly spaced for the eye (viridis); and from violet over red to yellow (plasma). */
const STOPS: readonly (readonly Colour[])[] = [
  [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]],
  [[106, 0, 168], [177, 42, 144], [225, 100, 98], [252, 166, 54], [240, 249, 33]],
];

/** A colour for a part between 0 and 1, on the forward (0) or the backward (1) side. */
export function ramp(part: number, side = 0): Colour {
  const stops = STOPS[side];
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const place = Math.min(stops.length - 2, Math.floor(at));
  const mix = at - place;
  const [red, green, blue] = [0, 1, 2].map((channel) => Math.round(stops[place][channel] + mix * (stops[place + 1][channel] - stops[place][channel])));
  return [red, green, blue];
}

const css = ([red, green, blue]: Colour) => `rgb(${red},${green},${blue})`;
const SHADES = 256;
const NEVER = 0xffffffff;

/** 1 for nodes of the backward side of a bidirectional search, otherwise 0. */
export function sideOf(run: Run, node: number): number {
  return run.recording.agenda.kind === "sides" ? Number(run.rootOf(node) !== 0) : 0;
}

/** Cells of a grid map as an image with a pixel per cell, which is drawn enlarged. */
export class GridImage {
  private readonly canvas: HTMLCanvasElement;
  private readonly image: ImageData;
  private readonly pixels: Uint32Array;
  private readonly ground: Uint32Array;
  /** By cell: the events at which it enters the agenda and is expanded, how many expansions there were then, and on which side. */
  private openedAt: Uint32Array;
  private expandedAt: Uint32Array;
  private rank: Uint32Array;
  private side: Uint8Array;
  private nodes = 0;
  private events = 0;

  constructor(
    private readonly run: Run,
    palette: Palette,
  ) {
    const rows = run.recording.picture.blocked ?? [];
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [rows[0].length, rows.length];
    this.image = new ImageData(rows[0].length, rows.length);
    this.pixels = new Uint32Array(this.image.data.buffer);
    const [free, wall] = [packed(channels(palette.cell)), packed(channels(palette.edge))];
    this.ground = Uint32Array.from(rows.flatMap((row) => Array.from(row, (letter) => (letter === "." ? free : wall))));
    const cells = this.ground.length;
    [this.openedAt, this.expandedAt] = [new Uint32Array(cells).fill(NEVER), new Uint32Array(cells).fill(NEVER)];
    [this.rank, this.side] = [new Uint32Array(cells), new Uint8Array(cells)];
  }

  /** Note what the nodes so far do to their cells. */
  private take(): void {
    const { run, openedAt, expandedAt, rank, side } = this;
    if (this.nodes === run.nodes && this.events === run.events) return;
    const hasSides = run.recording.agenda.kind === "sides";
    for (let node = 0; node < run.nodes; node++) {
      if (!run.isKept(node)) continue;
      const state = run.state[node];
      const cell = run.y![state] * this.image.width + run.x![state];
      if (run.born[node] < openedAt[cell]) openedAt[cell] = run.born[node];
      if (run.expandedAt[node] >= expandedAt[cell]) continue;
      expandedAt[cell] = run.expandedAt[node];
      rank[cell] = run.counts(run.expandedAt[node] + 1).expanded;
      if (hasSides) side[cell] = sideOf(run, node);
    }
    [this.nodes, this.events] = [run.nodes, run.events];
  }

  drawn(time: number, palette: Palette): HTMLCanvasElement {
    this.take();
    const { run, pixels, ground, openedAt, expandedAt, rank, side } = this;
    const open = packed(channels(palette.line.open));
    const expansions = Math.max(1, run.counts(time).expanded);
    const shades = Uint32Array.from({ length: 2 * SHADES }, (_, at) => packed(ramp((at % SHADES) / (SHADES - 1), at < SHADES ? 0 : 1)));
    for (let cell = 0; cell < ground.length; cell++) {
      if (expandedAt[cell] < time) pixels[cell] = shades[side[cell] * SHADES + Math.floor(((SHADES - 1) * rank[cell]) / expansions)];
      else pixels[cell] = openedAt[cell] < time ? open : ground[cell];
    }
    this.canvas.getContext("2d")!.putImageData(this.image, 0, 0);
    return this.canvas;
  }
}

/** A colour as a pixel of an image, on little-endian machines. */
function packed([red, green, blue]: Colour): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function channels(colour: string): Colour {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Draws places and lines of a road map; for a grid, only the path and the current place. */
export function paintMap(painter: Painter, run: Run, time: number, view: View, palette: Palette, selected: number): void {
  const { lines, blocked } = run.recording.picture;
  const at = (node: number): [number, number] => {
    const state = run.state[node];
    return [view.x + run.x![state] * view.k, view.y + run.y![state] * view.k];
  };
  const place = (y: number, x: number): [number, number] => [view.x + x * view.k, view.y + y * view.k];
  const roads = (lines ?? []).map(([y, x, otherY, otherX]) => [place(y, x), place(otherY, otherX)]);
  painter.lines(roads, palette.edge, 1.5);
  const current = run.currentAt(time);
  if (!blocked?.length) paintPlaces(painter, run, time, palette, at);
  const path = run.goalWithin(time)?.path ?? [];
  if (path.length > 1) painter.lines([path.map(at)], palette.solution, 4);
  else if (current !== NONE) painter.lines([upward(run, current).map(at)], palette.current, 2);
  for (const [node, colour] of [[selected, palette.selected], [current, palette.current]] as const) {
    if (node === NONE) continue;
    const [x, y] = at(node);
    painter.disc(x, y, Math.max(5, blocked?.length ? view.k * 0.7 : 9), { stroke: colour, width: 3 });
  }
}

function upward(run: Run, node: number): number[] {
  const path: number[] = [];
  for (let above = node; above !== NONE; above = run.parent[above]) path.push(above);
  return path;
}

function paintPlaces(painter: Painter, run: Run, time: number, palette: Palette, at: (node: number) => [number, number]): void {
  const expansions = Math.max(1, run.counts(time).expanded);
  for (let node = 0; node < run.nodes; node++) {
    const status = run.status(node, time);
    if (status === "unborn" || status === "duplicate" || status === "replaced") continue;
    const [x, y] = at(node);
    const isExpanded = run.expandedAt[node] < time;
    const fill = isExpanded ? css(ramp(run.counts(run.expandedAt[node] + 1).expanded / expansions, sideOf(run, node))) : palette.fill[status];
    painter.group(node, () => nodeInWords(run, node, time), () => {
      painter.disc(x, y, 6, { fill, stroke: palette.line[status], width: 2 });
      painter.text(x + 9, y - 9, run.label(node), { size: 12, colour: palette.ink, align: "left" });
    });
  }
}
