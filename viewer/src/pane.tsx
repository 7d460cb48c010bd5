// One run on the page: its picture, the current step in words, the state, the counts and the agenda.

import { type ReadonlySignal, type Signal, computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { explain } from "./explain.ts";
import { CanvasPainter } from "./painter.ts";
import { type Palette, meaningsOf } from "./palette.ts";
import type { Player } from "./player.ts";
import { NONE, Run, type Status } from "./run.ts";
import { Quiz, QuizView } from "./quiz.tsx";
import { type Stage, StageView } from "./stage.tsx";
import { aspectOf, paintState } from "./state_picture.ts";
import { shown, values } from "./tree_picture.ts";

const MOST_LISTED = 60;

export class Pane {
  readonly selected: Signal<number> = signal(NONE);
  readonly collapsed: Signal<ReadonlySet<number>> = signal(new Set());
  readonly follows = signal(false);
  readonly shows: Signal<"tree" | "map">;
  readonly time: ReadonlySignal<number>;
  readonly quiz = new Quiz(this);
  stage: Stage | null = null;

  constructor(
    readonly run: Run,
    readonly player: Player,
    readonly palette: ReadonlySignal<Palette>,
  ) {
    this.shows = signal(run.recording.picture.kind === "map" ? "map" : "tree");
    this.time = computed(() => player.timeOf(run, player.step.value));
  }

  get title(): string {
    const { algorithm, heuristic, problem, instance } = this.run.recording;
    return `${algorithm}${heuristic ? ` with ${heuristic}` : ""} on ${problem} ${instance}`;
  }
}

export function PaneView({ pane }: { pane: Pane }) {
  const { run, time, shows, follows } = pane;
  const { recording } = run;
  return (
    <section class="pane" aria-label={pane.title}>
      <header>
        <h2>
          {recording.algorithm}
          {recording.heuristic && <span> with {recording.heuristic}</span>}
        </h2>
        <span class="tools">
          {recording.picture.kind === "map" && (
            <button type="button" onClick={() => (shows.value = shows.value === "map" ? "tree" : "map")}>
              {shows.value === "map" ? "Show the tree" : "Show the map"}
            </button>
          )}
          <button type="button" aria-pressed={follows.value} onClick={() => (follows.value = !follows.value)} title="Keep the current node in the middle (f)">
            Follow
          </button>
          <button
            type="button" aria-pressed={pane.quiz.question.value !== null} onClick={() => pane.quiz.toggle()}
            title="Be asked what happens next (q)"
          >
            Quiz
          </button>
          <button type="button" onClick={() => pane.stage?.fit()} title="Show everything (0)">Fit</button>
          <button type="button" onClick={() => void save(pane, "svg")} title="Save what is on the screen as SVG">SVG</button>
          <button type="button" onClick={() => void save(pane, "png")} title="Save what is on the screen as PNG">PNG</button>
        </span>
      </header>
      <div class="body">
        <div class="picture">
          <StageView pane={pane} />
          <Legend pane={pane} />
        </div>
        <aside>
          <QuizView pane={pane} />
          <p class="sentence" role="status" aria-live="polite">{explain(run, time.value)}</p>
          <NodeView pane={pane} node={shownNode(pane)} />
          <CountsView pane={pane} />
          <AgendaView pane={pane} />
        </aside>
      </div>
      {recording.dropped > 0 && (
        <p class="note">The recording ends here: {recording.dropped.toLocaleString("en")} later events were not recorded.</p>
      )}
    </section>
  );
}

/** The selected node or, without one, the current one. */
function shownNode(pane: Pane): number {
  const { run, time, selected } = pane;
  const chosen = selected.value;
  return chosen !== NONE && run.status(chosen, time.value) !== "unborn" ? chosen : run.currentAt(time.value);
}

function Legend({ pane }: { pane: Pane }) {
  const palette = pane.palette.value;
  if (pane.shows.value === "map") {
    return (
      <ul class="legend">
        <li><i class="ramp" aria-hidden="true" /> expanded, from the first to the last</li>
        <li><i style={{ background: palette.line.open }} aria-hidden="true" /> on the agenda</li>
        <li><i style={{ background: palette.solution }} aria-hidden="true" /> path of the solution</li>
      </ul>
    );
  }
  return (
    <ul class="legend">
      {Object.entries(meaningsOf(pane.run)).map(([status, meaning]) => (
        <li key={status}>
          <svg width="16" height="12" aria-hidden="true">
            <rect
              x="1" y="1" width="14" height="10" rx="2" stroke-width="1.5"
              fill={palette.fill[status as Status]} stroke={palette.line[status as Status]}
              stroke-dasharray={status === "pruned" || status === "duplicate" ? "3 2" : undefined}
            />
          </svg>
          {meaning}
        </li>
      ))}
    </ul>
  );
}

function NodeView({ pane, node }: { pane: Pane; node: number }) {
  const { run, time, player } = pane;
  if (node === NONE) return null;
  const action = run.actionOf(node);
  const status = run.status(node, time.value);
  const why = status === "pruned" ? run.whyPruned(node) : null;
  const was = (event: number) => event < time.value && (
    <button type="button" onClick={() => player.go(player.stepAfter(run, event))}>go there</button>
  );
  return (
    <div class="node">
      <StatePicture pane={pane} node={node} />
      <dl>
        <dt>state</dt><dd>{run.name(node)}</dd>
        {action !== null && [<dt key="a">by</dt>, <dd key="b">{action}</dd>]}
        <dt>{run.game ? "value" : run.recording.evaluation === "f" ? "g + h" : run.recording.evaluation}</dt><dd>{values(run, node, time.value)}</dd>
        <dt>now</dt><dd>{meaningsOf(run)[status] ?? status}{why && `: ${why}`}</dd>
        <dt>{run.game ? "visited" : "generated"}</dt><dd>event {run.born[node] + 1} {was(run.born[node])}</dd>
        {run.expandedAt[node] < time.value && [<dt key="c">{run.game ? "value known" : "expanded"}</dt>, <dd key="d">event {run.expandedAt[node] + 1} {was(run.expandedAt[node])}</dd>]}
      </dl>
    </div>
  );
}

const PICTURE_WIDTH = 150;

function StatePicture({ pane, node }: { pane: Pane; node: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { run } = pane;
  const palette = pane.palette.value;
  const status = run.status(node, pane.time.value);
  const height = Math.max(28, Math.min(200, PICTURE_WIDTH * aspectOf(run)));
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const scale = window.devicePixelRatio || 1;
    [canvas.current!.width, canvas.current!.height] = [PICTURE_WIDTH * scale, height * scale];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = palette.fill[status];
    context.fillRect(0, 0, PICTURE_WIDTH, height);
    paintState(new CanvasPainter(context), run, node, { x: 6, y: 6, width: PICTURE_WIDTH - 12, height: height - 12 }, palette);
  });
  if (run.recording.picture.kind === "map") return null;
  return <canvas ref={canvas} class="state" style={{ width: `${PICTURE_WIDTH}px`, height: `${height}px` }} role="img" aria-label={run.name(node)} />;
}

function CountsView({ pane }: { pane: Pane }) {
  const { run, time } = pane;
  const goal = run.goalWithin(time.value);
  const { generated, expanded, pruned, ...others } = run.counts(time.value);
  const counts = run.game
    ? { "nodes visited": generated - pruned, "values known": expanded, pruned, depth: run.waitingAt(time.value) }
    : { expanded, generated, ...others, pruned, "on the agenda": run.openAt(time.value) };
  return (
    <table class="counts">
      <tbody>
        {Object.entries(counts).map(([name, count]) => (
          <tr key={name}><th scope="row">{name}</th><td>{count.toLocaleString("en")}</td></tr>
        ))}
        {!run.game && <tr><th scope="row">lower bound</th><td>{shown(run.boundAt(time.value))}</td></tr>}
        {run.game
          ? <tr><th scope="row">value of the root</th><td>{goal ? run.reasonAt(goal.event) : "\u2013"}</td></tr>
          : <tr><th scope="row">best cost</th><td>{goal ? shown(goal.cost) : "\u2013"}</td></tr>}
      </tbody>
    </table>
  );
}

function AgendaView({ pane }: { pane: Pane }) {
  const { run, time, selected } = pane;
  const { nodes, length, isOrdered: isKnown } = run.agendaAt(time.value, MOST_LISTED);
  const isOrdered = isKnown && !pane.quiz.isOpen;
  if (pane.quiz.isOpen) nodes.sort((one, other) => one - other); // their order would give the answer away
  const isPath = run.recording.agenda.kind === "path";
  return (
    <div class="agenda">
      <h3>{run.game ? "Line of play" : isPath ? "Path" : `Agenda${isOrdered ? ", the next one first" : ""}`}</h3>
      <ol>
        {nodes.map((node) => (
          <li key={node}>
            <button type="button" aria-pressed={selected.value === node} onClick={() => pick(pane, node)}>
              <span>{run.label(node)}</span>
              <b>{values(run, node, time.value)}</b>
            </button>
          </li>
        ))}
      </ol>
      {length > nodes.length && <p>and {(length - nodes.length).toLocaleString("en")} more</p>}
      {!nodes.length && <p>empty</p>}
    </div>
  );
}

function pick(pane: Pane, node: number): void {
  if (pane.quiz.isOpen && !pane.run.game) {
    pane.quiz.answer(node);
    return;
  }
  pane.selected.value = pane.selected.value === node ? NONE : node;
  if (pane.selected.value !== NONE) pane.stage?.centreOn(node);
}

async function save(pane: Pane, kind: "svg" | "png"): Promise<void> {
  const { stage } = pane;
  if (!stage) return;
  const blob = kind === "svg" ? new Blob([stage.svg()], { type: "image/svg+xml" }) : await stage.png();
  if (!blob) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${pane.run.recording.problem}-${pane.run.recording.algorithm}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
