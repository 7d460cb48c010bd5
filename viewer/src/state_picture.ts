// Draws one state: its own SVG picture, a board of cells, or text.

import { type Box, LETTER, type Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import type { Run } from "./run.ts";

/** The height of a state's picture, as a part of its width. */
export function aspectOf(run: Run): number {
  const { kind, aspect } = run.recording.picture;
  if (aspect) return Math.min(1.6, Math.max(0.2, aspect));
  if (kind === "board") {
    const { rows, columns } = extent(run);
    return Math.min(1.6, Math.max(0.2, rows / columns));
  }
  if (kind === "map" || !run.drawn) return 0.3;
  const { lines, letters } = longest(run);
  return Math.min(1.6, Math.max(0.24, lines / (letters * LETTER)));
}

interface Extent {
  top: number;
  left: number;
  rows: number;
  columns: number;
}

const extents = new WeakMap<Run, Extent>();

function extent(run: Run): Extent {
  let known = extents.get(run);
  if (!known) {
    const places = run.recording.picture.places ?? [];
    const [rows, columns] = [places.map(([row]) => row), places.map(([, column]) => column)];
    const [top, left] = [Math.min(...rows), Math.min(...columns)];
    known = { top, left, rows: Math.max(...rows) - top + 1, columns: Math.max(...columns) - left + 1 };
    extents.set(run, known);
  }
  return known;
}

const sizes = new WeakMap<Run, { lines: number; letters: number }>();
const LOOKED_AT = 1000;
const LARGEST_LETTERS = 20;

/** The size of the largest picture in letters, among the first states. */
function longest(run: Run): { lines: number; letters: number } {
  let known = sizes.get(run);
  if (!known) {
    known = { lines: 1, letters: 1 };
    for (let state = 0; run.drawn && state < Math.min(LOOKED_AT, run.drawn.length); state++) {
      const lines = run.texts[run.drawn[state]].split("\n");
      known.lines = Math.max(known.lines, lines.length);
      known.letters = Math.max(known.letters, ...lines.map((line) => line.length));
    }
    sizes.set(run, known);
  }
  return known;
}

/** Draws the state of a node into a box. */
export function paintState(painter: Painter, run: Run, node: number, box: Box, palette: Palette): void {
  const { picture } = run.recording;
  const svg = run.svgOf(node);
  if (svg !== null) painter.svg(svg, box);
  else if (picture.kind === "board" && run.cells) paintBoard(painter, run, node, box, palette);
  else if (picture.kind === "text" && run.drawn) paintText(painter, run.texts[run.drawn[run.state[node]]], box, palette);
  else painter.text(box.x + box.width / 2, box.y + box.height / 2, run.label(node), label(box, run.label(node), palette));
}

function label(box: Box, words: string, palette: Palette) {
  const size = Math.min(box.height * 0.7, box.width / Math.max(3, words.length * LETTER), 22);
  return { size: Math.max(9, size), colour: palette.ink, most: box.width };
}

function paintBoard(painter: Painter, run: Run, node: number, box: Box, palette: Palette): void {
  const { top, left, rows, columns } = extent(run);
  const places = run.recording.picture.places ?? [];
  const side = Math.min(box.width / columns, box.height / rows);
  const [x0, y0] = [box.x + (box.width - side * columns) / 2, box.y + (box.height - side * rows) / 2];
  const first = run.state[node] * places.length;
  places.forEach(([row, column], place) => {
    const words = run.texts[run.cells![first + place]];
    const [x, y] = [x0 + (column - left) * side, y0 + (row - top) * side];
    const cell = { x: x + 0.04 * side, y: y + 0.04 * side, width: 0.92 * side, height: 0.92 * side };
    painter.rect(cell, { fill: words ? palette.cell : palette.empty, radius: side > 12 ? side * 0.1 : 0 });
    if (!words || side < 7) return;
    const size = Math.min(0.6 * side, (0.9 * side) / (words.length * LETTER));
    painter.text(x + side / 2, y + side * 0.53, words, { size, colour: palette.ink });
  });
}

function paintText(painter: Painter, words: string, box: Box, palette: Palette): void {
  const lines = words.split("\n");
  const letters = Math.max(1, ...lines.map((line) => line.length));
  const size = Math.min(box.width / (letters * LETTER), box.height / (lines.length * 1.15), LARGEST_LETTERS);
  if (size < 3) return;
  const width = letters * LETTER * size;
  const x = box.x + (box.width - width) / 2;
  const top = box.y + (box.height - lines.length * size * 1.15) / 2;
  lines.forEach((line, place) => {
    painter.text(x, top + (place + 0.5) * size * 1.15, line, { size, colour: palette.ink, align: "left" });
  });
}
