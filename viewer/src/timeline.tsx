// Play, pause, step and scrub; where goals, higher bounds, reopenings and cuts are; and how the search went.

import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Palette } from "./palette.ts";
import type { Pane } from "./pane.tsx";
import type { Player, Unit } from "./player.ts";
import { type Kind, MICROSECONDS, type Run } from "./run.ts";
import { shown } from "./words.ts";

const SPEEDS = [1, 2, 4, 10, 30, 100, 1000, 10000];
const DURATIONS = [60, 30, 10, 5, 2];
const JUMPS: [string, string, Kind[]][] = [
  ["goal", "g", ["goal"]],
  ["bound", "b", ["bound", "round"]],
  ["reopening", "r", ["reopen"]],
  ["cut", "p", ["prune"]],
];

export function Timeline({ player, panes }: { player: Player; panes: readonly Pane[] }) {
  const { step, end, isPlaying, speed, duration, unit, units, runs } = player;
  const isTimed = unit.value === "seconds";
  const number = isTimed ? (at: number) => clock(at, end.value) : (at: number) => at.toLocaleString("en");
  const called = (name: string) => (runs[0].game ? ({ goal: "best line", bound: "depth" }[name] ?? name) : name);
  const jumps = JUMPS.filter(([, , kinds]) => runs.some((run) => kinds.some((kind) => run.at[kind].length)));
  return (
    <footer class="timeline">
      <Plot player={player} panes={panes} />
      <input
        type="range" min="0" max={end.value} value={step.value} aria-label={`step, in ${isTimed ? "microseconds" : unit.value}`} aria-valuetext={number(step.value)}
        onInput={(event) => { isPlaying.value = false; player.go(Number(event.currentTarget.value)); }}
      />
      <div class="controls">
        <button type="button" onClick={() => player.move(-end.value)} title="To the start (Home)" aria-label="to the start">{"|\u25c0\u25c0"}</button>
        <button type="button" onClick={() => player.stepBy(-1)} title="A step back (left arrow)" aria-label="a step back">{"|\u25c0"}</button>
        <button type="button" class="play" onClick={() => player.toggle()} title="Play or pause (space)" aria-label={isPlaying.value ? "pause" : "play"}>
          {isPlaying.value ? "\u2016" : "\u25b6"}
        </button>
        <button type="button" onClick={() => player.stepBy(1)} title="A step (right arrow)" aria-label="a step">{"\u25b6|"}</button>
        <button type="button" onClick={() => player.move(end.value)} title="To the end (End)" aria-label="to the end">{"\u25b6\u25b6|"}</button>
        <output>{number(step.value)} / {number(end.value)}</output>
        <label>
          {runs.length > 1 ? "advance both by " : "step by "}
          <select value={unit.value} onChange={(event) => player.measureIn(event.currentTarget.value as Unit)}>
            {units.value.map((name) => <option key={name} value={name}>{unitWords(name, runs)}</option>)}
          </select>
        </label>
        {isTimed ? (
          <label>
            all in{" "}
            <select value={duration.value} onChange={(event) => (duration.value = Number(event.currentTarget.value))}>
              {DURATIONS.map((seconds) => <option key={seconds} value={seconds}>{seconds} seconds</option>)}
            </select>
          </label>
        ) : (
          <label>
            speed{" "}
            <select value={speed.value} onChange={(event) => (speed.value = Number(event.currentTarget.value))}>
              {SPEEDS.map((perSecond) => <option key={perSecond} value={perSecond}>{perSecond.toLocaleString("en")} a second</option>)}
            </select>
          </label>
        )}
        <span class="jumps">
          {jumps.length > 0 && "next "}
          {jumps.map(([name, key, kinds]) => (
            <button key={name} type="button" onClick={() => player.next(...kinds)} title={`The next ${called(name)} (${key})`}>{called(name)}</button>
          ))}
        </span>
      </div>
    </footer>
  );
}

/** What a unit is called: "step by expansion", "advance both by expansions". */
function unitWords(unit: Unit, runs: readonly Run[]): string {
  const called = { expansions: runs[0].game ? "value" : "expansion", events: runs.length > 1 ? "step" : "event", seconds: "second" }[unit];
  if (runs.length > 1) return `${called}s`;
  return unit === "seconds" ? "time" : called;
}

/** Microseconds of a search in seconds or, if the search is short, in milliseconds. */
function clock(at: number, end: number): string {
  return end < MICROSECONDS ? `${(at / 1000).toFixed(3)} ms` : `${(at / MICROSECONDS).toFixed(3)} s`;
}

const HEIGHT = 64;

/** The bound, the best cost and the size of the open list over the steps; a click goes to that step. */
function Plot({ player, panes }: { player: Player; panes: readonly Pane[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useSignalEffect(() => {
    const end = player.end.value;
    const [step, palette] = [player.step.value, panes[0].palette.value];
    const frame = requestAnimationFrame(() => canvas.current && plot(canvas.current, player, end, step, palette));
    return () => cancelAnimationFrame(frame);
  });
  return (
    <canvas
      ref={canvas} class="plot" role="img" style={{ height: `${HEIGHT}px` }}
      aria-label="plot of the lower bound, the best cost and the size of the open list over the steps"
      onClick={(event) => {
        const frame = event.currentTarget.getBoundingClientRect();
        player.isPlaying.value = false;
        player.go(((event.clientX - frame.left) / frame.width) * player.end.value);
      }}
    />
  );
}

function plot(canvas: HTMLCanvasElement, player: Player, end: number, step: number, palette: Palette): void {
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  [canvas.width, canvas.height] = [width * scale, HEIGHT * scale];
  const context = canvas.getContext("2d");
  if (!context || !width) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const pixel = (at: number) => (end ? (at / end) * (width - 2) + 1 : 0);
  player.runs.forEach((run, place) => {
    const top = (place * HEIGHT) / player.runs.length;
    curves(context, run, player, { end, top, height: HEIGHT / player.runs.length, width, pixel, palette });
  });
  context.strokeStyle = palette.current;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(pixel(step), 0);
  context.lineTo(pixel(step), HEIGHT);
  context.stroke();
}

interface Frame {
  end: number;
  top: number;
  height: number;
  width: number;
  pixel: (at: number) => number;
  palette: Palette;
}

function curves(context: CanvasRenderingContext2D, run: Run, player: Player, frame: Frame): void {
  const { end, top, height, width, pixel, palette } = frame;
  const samples = Math.min(end, width);
  const times = Array.from({ length: samples + 1 }, (_, at) => player.timeOf(run, Math.round((at * end) / Math.max(1, samples))));
  const costs = times.map((time) => run.goalWithin(time)?.cost ?? Number.NaN);
  const bounds = times.map((time) => run.boundAt(time));
  const agendas = times.map((time) => run.waitingAt(time));
  const largest = (numbers: number[]) => numbers.reduce((most, number) => (Number.isFinite(number) ? Math.max(most, number) : most), 0);
  const [most, fullest] = [Math.max(1, largest([...costs, ...bounds])), Math.max(1, largest(agendas))];
  const curve = (numbers: number[], highest: number, colour: string, thickness: number) => {
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    context.beginPath();
    let isDrawing = false;
    numbers.forEach((number, at) => {
      const [x, y] = [pixel((at * end) / Math.max(1, samples)), top + height - 3 - (number / highest) * (height - 16)];
      if (!Number.isFinite(number)) isDrawing = false;
      else if (isDrawing) context.lineTo(x, y);
      else context.moveTo(x, y);
      isDrawing = Number.isFinite(number);
    });
    context.stroke();
  };
  curve(agendas, fullest, palette.line.open, 1);
  if (!run.game) {
    curve(bounds, most, palette.line.expanded, 2);
    curve(costs, most, palette.solution, 2);
  }
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "top";
  let x = 4;
  const legend = run.game ? [[`depth (up to ${fullest})`, palette.line.open]] : [
    [`open list (up to ${fullest.toLocaleString("en")})`, palette.line.open],
    [`lower bound (up to ${shown(largest(bounds))})`, palette.line.expanded],
    ["best cost", palette.solution],
  ];
  for (const [words, colour] of legend) {
    context.fillStyle = colour;
    context.fillText(words, x, top + 1);
    x += context.measureText(words).width + 14;
  }
}
