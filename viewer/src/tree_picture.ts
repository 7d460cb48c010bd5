// Draws a search tree: pictures of states when near, coloured boxes farther away, bars for subtrees narrower than a pixel.

import type { Layout } from "./layout.ts";
import type { Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import { NONE, type Run } from "./run.ts";
import { aspectOf, paintState } from "./state_picture.ts";

/** x, y: where column 0 and depth 0 are drawn; k: pixels per column. row: the least pixels per row. */
export interface View {
  row?: number;
  x: number;
  y: number;
  k: number;
  width: number;
  height: number;
}

export interface Scene {
  run: Run;
  layout: Layout;
  time: number;
  view: View;
  selected: number;
  collapsed: ReadonlySet<number>;
  palette: Palette;
}

const BOX = 0.84;
const LABELS_FROM = 26;
const PICTURES_FROM = 44;
const NARROWEST_SUBTREE = 1.5;
const LARGEST = 150;
const LOWEST_ROW = 16;
const HIGHEST_ROW_AT_FIRST = 80;
const NARROWEST_BOX = 2;

/** The height of a row in pixels at a scale: rows stay apart when columns are narrow. */
export function rowHeight(run: Run, view: View, k = view.k): number {
  return Math.max(view.row ?? LOWEST_ROW, k * (BOX * aspectOf(run) + 0.5));
}

/** The view in which the whole tree is seen. */
export function fitted(run: Run, layout: Layout, width: number, height: number): View {
  const columns = layout.roots.length ? layout.right[layout.roots.at(-1)!] + 1 : 1;
  const rows = layout.roots.reduce((most, root) => Math.max(most, layout.bottom[root] + 1), 1);
  const high = (height - 40) / rows;
  const row = Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW_AT_FIRST, high));
  const k = Math.min(LARGEST, (width - 24) / columns, Math.max(high, row) / (BOX * aspectOf(run) + 0.5));
  return { x: (width - (columns - 1) * k) / 2, y: 12 + (k * BOX * aspectOf(run)) / 2, k, row, width, height };
}

export function paintTree(painter: Painter, scene: Scene): void {
  new TreePainter(painter, scene).paint();
}

class TreePainter {
  private readonly row: number;
  private readonly boxWidth: number;
  private readonly boxHeight: number;
  private readonly caption: number;
  private readonly current: number;
  private readonly onSolution: Set<number>;
  /** By depth, the pixel column of the last bar: nothing more is drawn there. */
  private readonly barAt = new Map<number, number>();
  private readonly edges: [number, number][][] = [];

  constructor(
    private readonly painter: Painter,
    private readonly scene: Scene,
  ) {
    const { run, view, time } = scene;
    this.row = rowHeight(run, view);
    this.boxWidth = Math.max(NARROWEST_BOX, BOX * view.k);
    this.boxHeight = Math.min(this.row * 0.7, Math.max(5, BOX * view.k * aspectOf(run)));
    this.caption = this.boxWidth >= PICTURES_FROM ? 1.5 * captionSize(this.boxWidth) : 0;
    this.current = run.currentAt(time);
    this.onSolution = new Set(run.goalWithin(time)?.path ?? []);
  }

  paint(): void {
    const { layout, view } = this.scene;
    const waiting = [...layout.roots].reverse();
    const boxes: number[] = [];
    while (waiting.length) {
      const node = waiting.pop()!;
      if (!this.isSeen(node)) continue;
      if (this.isNarrow(node)) {
        this.paintBar(node);
        continue;
      }
      if (this.isInHeight(node)) boxes.push(node);
      if (this.scene.collapsed.has(node)) continue;
      if (view.y + layout.depth[node] * this.row > view.height) continue;
      for (let child = layout.firstChild[node]; child !== NONE; child = layout.nextSibling[child]) {
        waiting.push(child);
        if (this.isSeen(child)) this.noteEdge(node, child);
      }
    }
    this.paintEdges();
    for (const node of boxes) this.paintBox(node);
    this.paintSolution();
    for (const node of boxes) if (node === this.current || node === this.scene.selected) this.paintBox(node);
  }

  private x(column: number): number {
    return this.scene.view.x + column * this.scene.view.k;
  }

  private y(depth: number): number {
    return this.scene.view.y + depth * this.row;
  }

  private isSeen(node: number): boolean {
    const { layout, view, run, time } = this.scene;
    if (run.status(node, time) === "unborn") return false;
    return this.x(layout.right[node] + 1) >= 0 && this.x(layout.left[node] - 1) <= view.width;
  }

  private isInHeight(node: number): boolean {
    const y = this.y(this.scene.layout.depth[node]);
    return y + this.row >= 0 && y - this.row <= this.scene.view.height;
  }

  private isNarrow(node: number): boolean {
    const { layout, view } = this.scene;
    return (layout.right[node] - layout.left[node] + 1) * view.k < NARROWEST_SUBTREE;
  }

  private paintBar(node: number): void {
    const { layout, run, time, palette } = this.scene;
    const x = Math.round(this.x(layout.left[node]));
    const depth = layout.depth[node];
    const isMarked = this.onSolution.has(node);
    if (this.barAt.get(depth) === x && !isMarked) return;
    this.barAt.set(depth, x);
    const [top, bottom] = [this.y(depth) - this.row * 0.3, this.y(layout.bottom[node]) + this.row * 0.3];
    const status = run.status(node, time);
    const fill = isMarked ? palette.solution : palette.line[status];
    this.painter.rect({ x, y: top, width: isMarked ? 2 : 1, height: bottom - top }, { fill });
  }

  private noteEdge(parent: number, child: number): void {
    this.edges.push(this.edge(parent, child));
  }

  private edge(parent: number, child: number): [number, number][] {
    const { layout } = this.scene;
    const depth = layout.depth[parent];
    const from: [number, number] = [this.x(layout.x[parent]), this.y(depth) + this.boxHeight / 2 + this.caption];
    return [from, [this.x(layout.x[child]), this.y(depth + 1) - this.boxHeight / 2]];
  }

  private paintEdges(): void {
    const { palette, view } = this.scene;
    this.painter.lines(this.edges, palette.edge, view.k < 12 ? 0.5 : 1);
  }

  private paintSolution(): void {
    const { palette } = this.scene;
    const width = Math.max(2, Math.min(5, this.boxWidth / 16));
    const edges: [number, number][][] = [];
    for (const node of this.onSolution) {
      const parent = this.scene.run.parent[node];
      if (parent === NONE || !this.onSolution.has(parent)) continue;
      edges.push(this.edge(parent, node));
    }
    this.painter.lines(edges, palette.solution, width);
  }

  private paintBox(node: number): void {
    const { layout, run, time, palette, selected } = this.scene;
    const status = run.status(node, time);
    const [x, y] = [this.x(layout.x[node]), this.y(layout.depth[node])];
    const box = { x: x - this.boxWidth / 2, y: y - this.boxHeight / 2, width: this.boxWidth, height: this.boxHeight };
    const isSmall = this.boxWidth < 8;
    let [stroke, width] = [palette.line[status], isSmall ? 0 : 1.2];
    if (this.onSolution.has(node)) [stroke, width] = [palette.solution, 2.5];
    if (node === selected) [stroke, width] = [palette.selected, 3];
    if (node === this.current) [stroke, width] = [palette.current, 3];
    const fill = isSmall && width === 0 ? palette.line[status] : palette.fill[status];
    const dash = status === "pruned" || status === "duplicate";
    this.painter.rect(box, { fill, radius: Math.min(5, this.boxWidth / 8), ...(width ? { stroke, width, dash } : {}) });
    if (this.boxWidth >= PICTURES_FROM) this.paintInside(node, box);
    else if (this.boxWidth >= LABELS_FROM) this.paintValue(node, x, y);
    if (this.boxWidth >= LABELS_FROM && this.scene.collapsed.has(node)) {
      this.painter.text(x, box.y + box.height + 7, "\u22ef", { size: 12, colour: palette.faint });
    }
  }

  private paintValue(node: number, x: number, y: number): void {
    const { run, palette } = this.scene;
    const size = Math.min(12, this.boxHeight * 0.8);
    const words = run.game ? run.inGame(node, this.scene.time).words : shown(run.value(node));
    this.painter.text(x, y, words, { size, colour: palette.ink, most: this.boxWidth });
  }

  private paintInside(node: number, box: { x: number; y: number; width: number; height: number }): void {
    const { run, palette } = this.scene;
    const inset = box.width * 0.06;
    const inner = { x: box.x + inset, y: box.y + inset / 2, width: box.width - 2 * inset, height: box.height - inset };
    paintState(this.painter, run, node, inner, palette);
    const size = captionSize(box.width);
    const under = box.y + box.height + size * 0.75;
    this.painter.text(box.x + box.width / 2, under, values(run, node, this.scene.time), { size, colour: palette.faint, most: box.width * 1.15 });
  }
}

function captionSize(width: number): number {
  return Math.max(8, Math.min(13, width / 11));
}

/** g + h = f, without terms that the algorithm does not use; in games, the value or the window. */
export function values(run: Run, node: number, time: number): string {
  if (run.game) {
    const { side, words } = run.inGame(node, time);
    return `${side} ${words}`.trim();
  }
  const { evaluation } = run.recording;
  if (evaluation === "g") return `g ${shown(run.g[node])}`;
  if (evaluation === "h") return `h ${shown(run.h[node])}`;
  return `${shown(run.g[node])}+${shown(run.h[node])}=${shown(run.f(node))}`;
}

/** A number for people: whole, or with at most three decimals. */
export function shown(number: number): string {
  if (number === Infinity) return "\u221e";
  return Number.isInteger(number) ? String(number) : String(Math.round(number * 1000) / 1000);
}
