// Draws a search on its map: what was explored, the frontier, and the path.

import type { Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import { NONE, type Run } from "./run.ts";

export interface MapView {
  x: number;
  y: number;
  k: number;
  width: number;
  height: number;
}

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

export function fittedMap(bounds: Bounds, width: number, height: number): MapView {
  const k = Math.min((width - 16) / bounds.width, (height - 16) / bounds.height);
  const x = (width - bounds.width * k) / 2 - bounds.left * k;
  return { x, y: (height - bounds.height * k) / 2 - bounds.top * k, k, width, height };
}

/** A colour for a part between 0 and 1: from blue over green to yellow, evenly spaced for the eye (viridis). */
export function ramp(part: number): [number, number, number] {
  const stops = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
  ];
  const at = Math.min(1, Math.max(0, part)) * (stops.length - 1);
  const place = Math.min(stops.length - 2, Math.floor(at));
  const mix = at - place;
  return stops[place].map((one, channel) => Math.round(one + mix * (stops[place + 1][channel] - one))) as [number, number, number];
}

const css = ([red, green, blue]: readonly number[]) => `rgb(${red},${green},${blue})`;

/** Cells of a grid map as an image with a pixel per cell, which is drawn enlarged. */
export class GridImage {
  private readonly canvas: HTMLCanvasElement;
  private readonly image: ImageData;
  private readonly ground: Uint8ClampedArray;

  constructor(
    private readonly run: Run,
    palette: Palette,
  ) {
    const rows = run.recording.picture.blocked ?? [];
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [rows[0].length, rows.length];
    this.image = new ImageData(rows[0].length, rows.length);
    this.ground = new Uint8ClampedArray(this.image.data.length);
    const [free, wall] = [channels(palette.cell), channels(palette.edge)];
    let place = 0;
    for (const row of rows) {
      for (const letter of row) {
        this.ground.set(letter === "." ? free : wall, place);
        this.ground[place + 3] = 255;
        place += 4;
      }
    }
  }

  drawn(time: number, palette: Palette): HTMLCanvasElement {
    const { run, image } = this;
    const { data, width } = image;
    data.set(this.ground);
    const open = channels(palette.line.open);
    const expansions = Math.max(1, run.counts(time).expanded);
    const seen = new Set<number>();
    for (let place = 0; place < run.nodes; place++) {
      const status = run.status(place, time);
      if (status !== "expanded" && status !== "open" && status !== "goal") continue;
      const state = run.state[place];
      const at = 4 * (run.y![state] * width + run.x![state]);
      if (status === "open") {
        data.set(open, at);
        continue;
      }
      if (run.expandedAt[place] >= time || seen.has(state)) continue;
      seen.add(state);
      data.set(ramp(run.counts(run.expandedAt[place] + 1).expanded / expansions), at);
    }
    this.canvas.getContext("2d")!.putImageData(image, 0, 0);
    return this.canvas;
  }
}

function channels(colour: string): [number, number, number] {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** Draws places and lines of a road map; for a grid, only the path and the current place. */
export function paintMap(painter: Painter, run: Run, time: number, view: MapView, palette: Palette, selected: number): void {
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
    const fill = isExpanded ? css(ramp(run.counts(run.expandedAt[node] + 1).expanded / expansions)) : palette.fill[status];
    painter.disc(x, y, 6, { fill, stroke: palette.line[status], width: 2 });
    painter.text(x + 9, y - 9, run.label(node), { size: 12, colour: palette.ink, align: "left" });
  }
}
