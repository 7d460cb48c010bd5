// A state of a problem as a picture: a board, a place on a map, or a drawing in letters.

import { useRef } from "preact/hooks";
import { urlOf } from "../svg_images.ts";
import type { Background, Picture } from "./api.ts";

const FACES: Record<string, string> = { U: "#f4f4f0", R: "#d8352a", F: "#1f9d55", D: "#f2c500", L: "#ef7d1a", B: "#2667c9" };
const CELL = 40;

interface Look {
  fill: string;
  ink: string;
  shows: boolean;
}

function lookOf(problem: string, text: string): Look {
  if (problem.endsWith("cube") && text in FACES) return { fill: FACES[text], ink: "#222", shows: false };
  if (problem === "lights-out") return { fill: text ? "var(--lit)" : "var(--unlit)", ink: "#222", shows: false };
  if (problem === "jumping-tiles" && text) return { fill: text === "b" ? "#23282f" : "#ffffff", ink: text === "b" ? "#fff" : "#23282f", shows: true };
  return { fill: text ? "var(--tile)" : "var(--hollow)", ink: "var(--ink)", shows: true };
}

/** What can be done with the cells of a board, by their places in the picture. */
export interface Editing {
  picked: number | null;
  click: (cell: number) => void;
  drop: (from: number, to: number) => void;
}

/** One state. size: its width in ems. */
export function StateView({ picture, problem, size = 8, editing }: { picture: Picture; problem: string; size?: number; editing?: Editing | undefined }) {
  if (picture.kind === "board") return <Board cells={picture.cells!} problem={problem} size={size} editing={editing} />;
  if (picture.kind === "shapes") return <Shapes picture={picture} size={size} />;
  if (picture.kind === "svg") return <SvgImage picture={picture} size={size} />;
  return <pre class="drawn">{picture.text}</pre>;
}

function Board({ cells, problem, size, editing }: { cells: [number, number, string][]; problem: string; size: number; editing?: Editing | undefined }) {
  const from = useRef<number | null>(null);
  const [rows, columns] = [cells.map(([row]) => row), cells.map(([, column]) => column)];
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [height, width] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  return (
    <svg
      class={editing ? "board editable" : "board"} viewBox={`0 0 ${width * CELL} ${height * CELL}`} role="img" aria-label={cells.map(([, , text]) => text || "_").join(" ")}
      style={{ width: `${size * Math.min(1, (1.6 * width) / height)}em` }}
    >
      {cells.map(([row, column, text], cell) => {
        const look = lookOf(problem, text);
        const [x, y] = [(column - left) * CELL, (row - top) * CELL];
        return (
          <g key={`${row} ${column}`} {...(editing && handlers(editing, cell, text, from))}>
            <rect x={x + 1.5} y={y + 1.5} width={CELL - 3} height={CELL - 3} rx="5" fill={look.fill} stroke="var(--rule)" />
            {look.shows && text && (
              <text x={x + CELL / 2} y={y + CELL / 2} fill={look.ink} font-size={text.length > 2 ? 14 : 19} text-anchor="middle" dominant-baseline="central">
                {text}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** A click on a cell, a drag from one cell to another, or Enter on the one that has the focus. */
function handlers(editing: Editing, cell: number, text: string, from: { current: number | null }) {
  return {
    class: editing.picked === cell ? "cell picked" : "cell",
    role: "button" as const,
    tabindex: 0,
    "aria-label": text || "empty",
    "aria-pressed": editing.picked === cell,
    onPointerDown: (event: PointerEvent) => {
      from.current = cell;
      (event.currentTarget as Element).releasePointerCapture?.(event.pointerId); // so that another cell hears the end of a drag
      event.preventDefault();
    },
    onPointerUp: () => {
      if (from.current === cell) editing.click(cell);
      else if (from.current !== null) editing.drop(from.current, cell);
      from.current = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      editing.click(cell);
    },
  };
}

/** A picture that a problem or a game makes of its states. */
export function SvgImage({ picture, size }: { picture: { svg?: string; aspect?: number }; size: number }) {
  return <img class="drawn" src={urlOf(picture.svg!)} alt="picture of the state" style={{ width: `${Math.min(1.4 * size, (1.1 * size) / picture.aspect!)}em` }} />;
}

/** Rectangles with words in them: discs and pancakes. */
function Shapes({ picture, size }: { picture: Picture; size: number }) {
  const [width, height] = [picture.width!, picture.height!];
  const edge = 0.02 * Math.max(width, height);
  return (
    <svg class="shapes" viewBox={`${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`} role="img" style={{ width: `${Math.min(1.4 * size, (1.1 * size * width) / height)}em` }}>
      {picture.shapes!.map(([x, y, wide, high, kind, text], number) => (
        <g key={number} class={kind}>
          <rect x={x} y={y} width={wide} height={high} rx={Math.min(wide, high) * (kind === "dough" || kind === "disc" ? 0.35 : 0.05)} stroke-width={edge / 2} />
          {text && <text x={x + wide / 2} y={y + high / 2} font-size={high * 0.65}>{text}</text>}
        </g>
      ))}
    </svg>
  );
}

/** Told where the pointer is on a map, in its units, from its press to its release. */
export type Touch = (x: number, y: number, phase: "begin" | "move" | "end") => void;

/** A map with places on it, joined by a line if they are the path of a solution. */
export function MapView({ background, places, isPath, touch }: { background: Background; places: Picture[]; isPath: boolean; touch?: Touch | undefined }) {
  const { lines, blocked, cities } = background;
  const at = places.filter((place) => place.kind === "place").map((place) => [place.column!, place.row!] as const);
  const xs = [...lines.flatMap(([, x, , z]) => [x, z]), ...at.map(([x]) => x)];
  const ys = [...lines.flatMap(([y, , z]) => [y, z]), ...at.map(([, y]) => y)];
  const isGrid = blocked.length > 0;
  const [left, right] = isGrid ? [-0.5, blocked[0].length - 0.5] : [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = isGrid ? [-0.5, blocked.length - 0.5] : [Math.min(...ys), Math.max(...ys)];
  const extent = Math.max(right - left, bottom - top, 1e-9);
  const margin = isGrid ? 0 : 0.08 * extent;
  const unit = isGrid ? 1 : extent / 30;
  const box = `${left - margin} ${top - margin} ${right - left + 2 * margin} ${bottom - top + 2 * margin}`;
  const walls = blocked.flatMap((row, y) => [...row].map((letter, x) => (letter === "." ? "" : `M${x - 0.5} ${y - 0.5}h1v1h-1z`)));
  return (
    <svg class={touch ? "map editable" : "map"} viewBox={box} role="img" aria-label="map" {...(touch && touched(touch))}>
      {isGrid && <rect x={left} y={top} width={right - left} height={bottom - top} fill="var(--tile)" stroke="var(--rule)" stroke-width="0.05" />}
      <path d={walls.join("")} fill="var(--wall)" />
      {lines.map(([y, x, otherY, otherX], number) => (
        <line key={number} x1={x} y1={y} x2={otherX} y2={otherY} stroke="var(--road)" stroke-width={unit / 6} />
      ))}
      {cities.map(([y, x, name]) => (
        <g key={name}>
          <circle cx={x} cy={y} r={unit * 0.2} fill="var(--tile)" stroke="var(--faint)" stroke-width={unit / 14} />
          <text x={x + unit * 0.4} y={y - unit * 0.4} font-size={unit * (cities.length > 40 ? 0.5 : 0.9)} fill="var(--ink)">{name}</text>
        </g>
      ))}
      {isPath && <polyline points={at.map(([x, y]) => `${x},${y}`).join(" ")} fill="none" stroke="var(--good)" stroke-width={unit / 3} stroke-linejoin="round" stroke-linecap="round" />}
      {at.map(([x, y], number) => {
        const isEnd = number === 0 || number === at.length - 1;
        if (isGrid && !isEnd) return null;
        return <circle key={number} cx={x} cy={y} r={unit * (isEnd ? 0.42 : 0.25)} fill={number === 0 ? "var(--accent)" : isEnd ? "var(--good)" : "var(--tile)"} stroke="var(--ink)" stroke-width={unit / 14} />;
      })}
      {!isGrid && !cities.length && places.map((place, number) => (
        <text key={number} x={place.column! + unit * 0.5} y={place.row! - unit * 0.5} font-size={unit} fill="var(--ink)">{place.text}</text>
      ))}
    </svg>
  );
}

function touched(touch: Touch) {
  const told = (phase: "begin" | "move" | "end") => (event: PointerEvent) => {
    const svg = event.currentTarget as SVGSVGElement;
    if (phase === "begin") svg.setPointerCapture(event.pointerId);
    else if (!svg.hasPointerCapture(event.pointerId)) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
    touch(x, y, phase);
    event.preventDefault();
  };
  return { onPointerDown: told("begin"), onPointerMove: told("move"), onPointerUp: told("end") };
}

/** A path: its states side by side with the actions between them, or one map with a line. */
export function PathView({ path, background, problem, leftOut }: { path: (Picture & { action: string })[]; background: Background; problem: string; leftOut: number }) {
  if (path.length && path[0].kind === "place") return <MapView background={background} places={path} isPath />;
  const size = path[0]?.kind === "board" ? boardSize(path[0]) : path[0]?.kind === "shapes" || path[0]?.kind === "svg" ? 8 : 6;
  const half = leftOut ? path.length / 2 : -1;
  return (
    <ol class="path">
      {path.map((step, number) => [
        number === half && <li key="gap" class="gap">{counted(leftOut)} states are not shown</li>,
        <li key={number}>
          <span class="action">{step.action}</span>
          <StateView picture={step} problem={problem} size={size} />
        </li>,
      ])}
    </ol>
  );
}

function boardSize(picture: Picture): number {
  const columns = picture.cells!.map(([, column]) => column);
  return Math.min(11, Math.max(5, 1.7 * (Math.max(...columns) - Math.min(...columns) + 1)));
}

const counted = (number: number) => number.toLocaleString("en");
