// Editing on the board: tiles are dragged, lights and walls are toggled, start and goal are placed on a map.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Background, Picture } from "./api.ts";
import type { Looked, SearchPage } from "./search_page.tsx";
import { type Editing, MapView, StateView, type Touch } from "./state_view.tsx";

type Cells = [number, number, string][];

/** How the board of a problem is written, and what a click does: "swap" two cells, or "toggle" one. */
interface Notation {
  click: "swap" | "toggle";
  write: (cells: Cells) => string;
  hint: string;
}

function rowsOf(cells: Cells): string[][] {
  const rows: string[][] = [];
  for (const [row, column, text] of cells) (rows[row] ??= [])[column] = text;
  return rows;
}

const NOTATIONS: Record<string, Notation> = {
  "sliding-tile": {
    click: "swap",
    write: (cells) => rowsOf(cells).map((row) => row.map((text) => text || "_").join(" ")).join(" / "),
    hint: "Click a tile beside the gap to slide it; drag a tile onto another, or click both, to swap them.",
  },
  "jumping-tiles": {
    click: "swap",
    write: (cells) => rowsOf(cells)[0].map((text) => text || "_").join(""),
    hint: "Drag a tile onto another, or click both, to swap them.",
  },
  "lights-out": {
    click: "toggle",
    write: (cells) => rowsOf(cells).map((row) => row.map((text) => (text ? "1" : "0")).join("")).join("/"),
    hint: "Click a cell to switch its light.",
  },
};

/** Whether the start of a problem can be edited here. */
export const canEdit = (problem: string, looked: Looked): boolean =>
  (problem in NOTATIONS && looked.start.kind === "board") || ((problem === "grid-map" || (problem === "road-map" && looked.background.cities.length > 0)) && looked.start.kind === "place");

/** The start and the goal, to be edited. size: the width of each, in ems. */
export function EditView({ page, looked, size }: { page: SearchPage; looked: Looked; size: number }) {
  const { problem } = page.form.value;
  if (looked.start.kind === "place") return <EditMap page={page} looked={looked} />;
  const notation = NOTATIONS[problem];
  const { start, goal } = looked;
  const setStart = (cells: Cells) => page.edit({ instance: notation.write(cells) }, { start: { ...start, cells } });
  const setGoal = (cells: Cells) => page.edit({ options: { ...page.form.value.options, goal: notation.write(cells) } }, { goal: { ...goal!, cells } });
  return (
    <div>
      <div class="ends">
        <figure><figcaption>Start</figcaption><EditBoard picture={start} problem={problem} notation={notation} size={size} set={setStart} /></figure>
        {goal && <span class="to" aria-hidden="true">{"\u2192"}</span>}
        {goal && (
          <figure>
            <figcaption>Goal</figcaption>
            {problem === "jumping-tiles" ? <StateView picture={goal} problem={problem} size={size} /> : <EditBoard picture={goal} problem={problem} notation={notation} size={size} set={setGoal} />}
          </figure>
        )}
      </div>
      <p class="faint hint">{notation.hint}</p>
    </div>
  );
}

interface EditBoardProps {
  picture: Picture;
  problem: string;
  notation: Notation;
  size: number;
  set: (cells: Cells) => void;
}

function EditBoard({ picture, problem, notation, size, set }: EditBoardProps) {
  const picked = useSignal<number | null>(null);
  const cells = picture.cells!;
  const swap = (one: number, other: number) => {
    picked.value = null;
    if (cells[one][2] !== cells[other][2]) set(cells.map(([row, column, text], place) => [row, column, place === one ? cells[other][2] : place === other ? cells[one][2] : text]));
  };
  const click = (place: number) => {
    if (notation.click === "toggle") return set(cells.map(([row, column, text], other) => [row, column, other === place ? (text ? "" : "*") : text]));
    const gap = cells.findIndex(([, , text]) => !text);
    const [row, column] = cells[place];
    const isBesideGap = Math.abs(row - cells[gap]?.[0]) + Math.abs(column - cells[gap]?.[1]) === 1;
    if (picked.value !== null) swap(picked.value, place);
    else if (problem === "sliding-tile" && isBesideGap) swap(place, gap);
    else picked.value = place;
  };
  const editing: Editing = { picked: picked.value, click, drop: swap };
  return <StateView picture={picture} problem={problem} size={size} editing={editing} />;
}

type Tool = "start" | "goal" | "walls";

function EditMap({ page, looked }: { page: SearchPage; looked: Looked }) {
  const isGrid = looked.background.blocked.length > 0;
  const tool = useSignal<Tool>(isGrid ? "walls" : "start");
  const paints = useRef("@");
  const painted = useRef<Background | null>(null);
  const { start, goal, background } = looked;
  const place = (which: "start" | "goal", at: { row: number; column: number }, name: string) =>
    page.edit({ options: { ...page.form.value.options, [which]: name } }, { [which]: { ...(which === "goal" ? (goal ?? start) : start), ...at, text: name } });
  const onGrid: Touch = (x, y, phase) => {
    const [row, column] = [Math.floor(y + 0.5), Math.floor(x + 0.5)];
    const { blocked } = painted.current ?? background;
    const isInside = row >= 0 && row < blocked.length && column >= 0 && column < blocked[0].length;
    if (tool.value !== "walls") {
      if (phase === "begin" && isInside) place(tool.value, { row, column }, `${column},${row}`);
      return;
    }
    if (isInside && phase === "begin") paints.current = blocked[row][column] === "." ? "@" : ".";
    if (isInside && phase !== "end" && blocked[row][column] !== paints.current) {
      const rows = blocked.map((line, number) => (number === row ? line.slice(0, column) + paints.current + line.slice(column + 1) : line));
      painted.current = { ...background, blocked: rows };
      page.looked.value = { ...looked, background: painted.current };
    }
    if (phase === "end" && painted.current) {
      page.edit({ instance: painted.current.blocked.join("\n") }, { background: painted.current });
      painted.current = null;
    }
  };
  const onRoads: Touch = (x, y, phase) => {
    if (phase !== "begin" || tool.value === "walls") return;
    const away = ([cityY, cityX]: [number, number, string]) => Math.hypot(cityX - x, cityY - y);
    const nearest = background.cities.reduce((one, other) => (away(other) < away(one) ? other : one));
    place(tool.value, { row: nearest[0], column: nearest[1] }, nearest[2]);
  };
  const tools: [Tool, string][] = [...(isGrid ? [["walls", "Walls"] as [Tool, string]] : []), ["start", "Start"], ["goal", "Goal"]];
  return (
    <div>
      <MapView background={background} places={goal ? [start, goal] : [start]} isPath={false} touch={isGrid ? onGrid : onRoads} />
      <div class="row hint" role="group" aria-label="what a click on the map does">
        {tools.map(([name, title]) => <button key={name} type="button" aria-pressed={tool.value === name} onClick={() => (tool.value = name)}>{title}</button>)}
        <span class="faint">{tool.value === "walls" ? "Draw or erase walls on the map." : isGrid ? `Click the cell of the ${tool.value}.` : `Click the city of the ${tool.value}.`}</span>
      </div>
    </div>
  );
}
