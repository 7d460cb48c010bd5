// Draws one node of a tree or a graph: a picture of its state when near, its value farther away, its colour farther still.

import type { Painter } from "./painter.ts";
import { type Palette, lookOf } from "./palette.ts";
import { NONE, type Run } from "./run.ts";
import { paintState } from "./state_picture.ts";
import { nodeInWords, shown, values } from "./words.ts";

/** What is drawn, and when. */
export interface Scene {
  run: Run;
  time: number;
  selected: number;
  palette: Palette;
}

/** Where a node is drawn: the middle of its box, and its size. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const LABELS_FROM = 26;
export const PICTURES_FROM = 44;

export class NodePainter {
  readonly current: number;
  readonly onSolution: ReadonlySet<number>;

  constructor(
    private readonly painter: Painter,
    private readonly scene: Scene,
  ) {
    this.current = scene.run.currentAt(scene.time);
    this.onSolution = new Set(scene.run.goalWithin(scene.time)?.path ?? []);
  }

  /** A node, which a screen reader finds in a drawing as an element of its own. */
  paint(node: number, place: Place): void {
    this.painter.group(node, () => nodeInWords(this.scene.run, node, this.scene.time), () => this.paintBox(node, place));
  }

  /** The current and the selected node once more, above their neighbours. */
  isOnTop(node: number): boolean {
    return node === this.current || node === this.scene.selected;
  }

  paintBox(node: number, { x, y, width: boxWidth, height: boxHeight }: Place): void {
    const { run, time, palette, selected } = this.scene;
    const { fill: ground, line, dash } = lookOf(run, node, time, palette);
    const box = { x: x - boxWidth / 2, y: y - boxHeight / 2, width: boxWidth, height: boxHeight };
    const isSmall = boxWidth < 8;
    let [stroke, width] = [line, isSmall ? 0 : 1.2];
    if (this.onSolution.has(node)) [stroke, width] = [palette.solution, 2.5];
    if (node === selected) [stroke, width] = [palette.selected, 3];
    if (node === this.current) [stroke, width] = [palette.current, 3];
    const fill = isSmall && width === 0 ? line : ground;
    this.painter.rect(box, { fill, radius: Math.min(5, boxWidth / 8), ...(width ? { stroke, width, dash } : {}) });
    if (boxWidth >= PICTURES_FROM) this.paintInside(node, box);
    else if (boxWidth >= LABELS_FROM) this.paintValue(node, x, y, boxWidth, boxHeight);
  }

  private paintValue(node: number, x: number, y: number, width: number, height: number): void {
    const { run, palette, time } = this.scene;
    const words = run.game ? run.inGame(node, time).words : shown(run.value(node));
    this.painter.text(x, y, words, { size: Math.min(12, height * 0.8), colour: palette.ink, most: width });
  }

  private paintInside(node: number, box: { x: number; y: number; width: number; height: number }): void {
    const { run, palette, time } = this.scene;
    const inset = box.width * 0.06;
    const inner = { x: box.x + inset, y: box.y + inset / 2, width: box.width - 2 * inset, height: box.height - inset };
    paintState(this.painter, run, node, inner, palette);
    const size = captionSize(box.width);
    const under = box.y + box.height + size * 0.75;
    this.painter.text(box.x + box.width / 2, under, values(run, node, time), { size, colour: palette.faint, most: box.width * 1.15 });
  }
}

export function captionSize(width: number): number {
  return Math.max(8, Math.min(13, width / 11));
}

/** The edges of the solution among nodes that are drawn, each from its parent. */
export function solutionEdges(run: Run, onSolution: ReadonlySet<number>): [number, number][] {
  const edges: [number, number][] = [];
  for (const node of onSolution) {
    const parent = run.parent[node];
    if (parent !== NONE && onSolution.has(parent)) edges.push([parent, node]);
  }
  return edges;
}
