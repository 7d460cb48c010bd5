// Draws a search tree: pictures of states when near, coloured boxes farther away, bars for subtrees narrower than a pixel.

import type { Layout } from "./layout.ts";
import { LABELS_FROM, NodePainter, PICTURES_FROM, type Scene, captionSize, solutionEdges } from "./node_picture.ts";
import type { Painter } from "./painter.ts";
import { lookOf } from "./palette.ts";
import { NONE, type Run } from "./run.ts";
import { aspectOf } from "./state_picture.ts";

/** x, y: where column 0 and row 0 are drawn; k: pixels per column. row: the least pixels per row of a tree or a graph. */
export interface View {
  row?: number;
  x: number;
  y: number;
  k: number;
  width: number;
  height: number;
}

export interface TreeScene extends Scene {
  layout: Layout;
  view: View;
  collapsed: ReadonlySet<number>;
}

const BOX = 0.84;
const NARROWEST_SUBTREE = 1.5;
const LARGEST = 150;
const LOWEST_ROW = 3;
const HIGHEST_ROW_AT_FIRST = 80;
const NARROWEST_BOX = 2;

/** The height of a row in pixels at a scale: rows stay apart when columns are narrow. */
export function rowHeight(run: Run, view: View, k = view.k): number {
  return Math.max(view.row ?? LOWEST_ROW, k * (BOX * aspectOf(run) + 0.5));
}

/** The size of the box of a node, and of the space for the line below it. */
export function boxOf(run: Run, view: View): { width: number; height: number; caption: number } {
  const width = Math.max(NARROWEST_BOX, BOX * view.k);
  const height = Math.min(rowHeight(run, view) * 0.7, Math.max(5, BOX * view.k * aspectOf(run)));
  return { width, height, caption: width >= PICTURES_FROM ? 1.5 * captionSize(width) : 0 };
}

/** The view in which the whole tree is seen. */
export function fitted(run: Run, layout: Layout, width: number, height: number): View {
  const columns = layout.roots.length ? layout.right[layout.roots.at(-1)!] + 1 : 1;
  const rows = layout.roots.reduce((most, root) => Math.max(most, layout.bottom[root] + 1), 1);
  return fittedRows(run, columns, rows, width, height);
}

/** The view in which columns and rows of nodes are seen. */
export function fittedRows(run: Run, columns: number, rows: number, width: number, height: number): View {
  const high = (height - 40) / rows;
  const row = Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW_AT_FIRST, high));
  const k = Math.min(LARGEST, (width - 24) / columns, Math.max(high, row) / (BOX * aspectOf(run) + 0.5));
  return { x: (width - (columns - 1) * k) / 2, y: 12 + (k * BOX * aspectOf(run)) / 2, k, row, width, height };
}

export function paintTree(painter: Painter, scene: TreeScene): void {
  new TreePainter(painter, scene).paint();
}

class TreePainter {
  private readonly row: number;
  private readonly box: { width: number; height: number; caption: number };
  private readonly nodes: NodePainter;
  /** By depth, the pixel column of the last bar: nothing more is drawn there. */
  private readonly barAt = new Map<number, number>();
  private readonly edges: [number, number][][] = [];

  constructor(
    private readonly painter: Painter,
    private readonly scene: TreeScene,
  ) {
    this.row = rowHeight(scene.run, scene.view);
    this.box = boxOf(scene.run, scene.view);
    this.nodes = new NodePainter(painter, scene);
  }

  paint(): void {
    const { layout, view, palette, run } = this.scene;
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
      const children: number[] = [];
      for (let child = layout.firstChild[node]; child !== NONE; child = layout.nextSibling[child]) {
        children.push(child);
        if (this.isSeen(child)) this.edges.push(this.edge(node, child));
      }
      while (children.length) waiting.push(children.pop()!);
    }
    this.painter.lines(this.edges, palette.edge, view.k < 12 ? 0.5 : 1);
    for (const node of boxes) this.paintBox(node);
    const width = Math.max(2, Math.min(5, this.box.width / 16));
    this.painter.lines(solutionEdges(run, this.nodes.onSolution).map(([parent, child]) => this.edge(parent, child)), palette.solution, width);
    for (const node of boxes) if (this.nodes.isOnTop(node)) this.nodes.paintBox(node, this.place(node));
  }

  private x(column: number): number {
    return this.scene.view.x + column * this.scene.view.k;
  }

  private y(depth: number): number {
    return this.scene.view.y + depth * this.row;
  }

  private place(node: number) {
    const { layout } = this.scene;
    return { x: this.x(layout.x[node]), y: this.y(layout.depth[node]), ...this.box };
  }

  private isSeen(node: number): boolean {
    const { layout, view, run, time } = this.scene;
    if (run.born[node] >= time) return false;
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
    const isMarked = this.nodes.onSolution.has(node);
    if (this.barAt.get(depth) === x && !isMarked) return;
    this.barAt.set(depth, x);
    const [top, bottom] = [this.y(depth) - this.row * 0.3, this.y(layout.bottom[node]) + this.row * 0.3];
    const fill = isMarked ? palette.solution : lookOf(run, node, time, palette).line;
    this.painter.rect({ x, y: top, width: isMarked ? 2 : 1, height: bottom - top }, { fill });
  }

  private edge(parent: number, child: number): [number, number][] {
    const { layout } = this.scene;
    const depth = layout.depth[parent];
    const from: [number, number] = [this.x(layout.x[parent]), this.y(depth) + this.box.height / 2 + this.box.caption];
    return [from, [this.x(layout.x[child]), this.y(depth + 1) - this.box.height / 2]];
  }

  private paintBox(node: number): void {
    const place = this.place(node);
    this.nodes.paint(node, place);
    if (this.box.width >= LABELS_FROM && this.scene.collapsed.has(node)) {
      this.painter.text(place.x, place.y + place.height / 2 + 7, "\u22ef", { size: 12, colour: this.scene.palette.faint });
    }
  }
}
