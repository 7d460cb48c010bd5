// One run on the page: its picture, the current step in words, the state, the counts and the agenda.

import { type ReadonlySignal, type Signal, computed, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Kind, kindsOf } from "./drawings.ts";
import { explain } from "./explain.ts";
import { filmOf } from "./film.ts";
import { Outline } from "./outline.tsx";
import { CanvasPainter } from "./painter.ts";
import { type Palette, meaningsOf } from "./palette.ts";
import type { Player } from "./player.ts";
import { MARKS, NONE, type Part, Run, type Status, USUAL } from "./run.ts";
import { Quiz, QuizView } from "./quiz.tsx";
import { type Stage, StageView } from "./stage.tsx";
import { aspectOf, paintState } from "./state_picture.ts";
import { urlOf } from "./svg_images.ts";
import { MARK_WORDS, fateInWords, shown, values } from "./words.ts";


export class Pane {
  readonly selected: Signal<number> = signal(NONE);
  readonly collapsed: Signal<ReadonlySet<number>> = signal(new Set());
  readonly follows = signal(false);
  /** The pictures that are shown, side by side. */
  readonly shows: Signal<readonly Kind[]>;
  readonly time: ReadonlySignal<number>;
  readonly quiz = new Quiz(this);
  readonly stages = new Map<Kind, Stage>();
  /** The part of the film that is made; null if none is being made. */
  readonly filmed: Signal<number | null> = signal(null);

  constructor(
    readonly run: Run,
    readonly player: Player,
    readonly palette: ReadonlySignal<Palette>,
    readonly number: number,
  ) {
    this.shows = signal([run.recording.picture.kind === "map" ? "map" : "tree"]);
    this.time = computed(() => player.timeOf(run, player.step.value));
  }

  /** The first picture, which always exists. */
  get stage(): Stage | null {
    return this.stages.get(this.shows.peek()[0]) ?? null;
  }

  /** Show a picture or, if another one is shown too, no longer show it. */
  toggle(kind: Kind): void {
    const kinds = kindsOf(this.run);
    if (!kinds.includes(kind)) return;
    const shown = this.shows.peek();
    if (!shown.includes(kind)) this.shows.value = kinds.filter((other) => other === kind || shown.includes(other));
    else if (shown.length > 1) this.shows.value = shown.filter((other) => other !== kind);
  }

  /** Collapse the subtree of a node, or expand it again. */
  collapse(node: number): void {
    const changed = new Set(this.collapsed.peek());
    if (!changed.delete(node)) changed.add(node);
    this.collapsed.value = changed;
  }

  /** Select a relative of the selected (or current) node: its parent, first child, or a sibling. */
  walk(key: string): void {
    const { run } = this;
    const [time, node] = [this.time.peek(), shownNode(this)];
    if (node === NONE || this.quiz.isOpen) return;
    const siblings = run.childrenAt(run.parent[node], time);
    const at = siblings.indexOf(node);
    const found = { ArrowUp: run.parent[node], ArrowDown: run.childrenAt(node, time)[0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }[key] ?? NONE;
    if (found === NONE) return;
    this.selected.value = found;
    for (const stage of this.stages.values()) stage.reveal(found);
  }

  /** Save the run as a film, or stop making it. */
  async film(): Promise<void> {
    if (this.filmed.value !== null) {
      this.filmed.value = null;
      return;
    }
    this.filmed.value = 0;
    try {
      const film = await filmOf(this, (part) => this.filmed.value !== null && ((this.filmed.value = part), true));
      if (film) download(this, new Blob([film], { type: "image/gif" }), "gif");
    } finally {
      this.filmed.value = null;
    }
  }

  get title(): string {
    const { algorithm, heuristic, problem, instance } = this.run.recording;
    return `${algorithm}${heuristic ? ` with ${heuristic}` : ""} on ${problem} ${instance}`;
  }
}

export function PaneView({ pane }: { pane: Pane }) {
  const { run, time, shows, follows, player } = pane;
  const { recording } = run;
  void run.chunks.value; // a search that still runs: other numbers at the same moment
  return (
    <section class="pane" aria-label={pane.title}>
      <header>
        <h2>
          {recording.algorithm}
          {recording.heuristic && <span> with {recording.heuristic}</span>}
        </h2>
        <span class="tools">
          {kindsOf(run).length > 1 && kindsOf(run).map((kind) => (
            <button key={kind} type="button" aria-pressed={shows.value.includes(kind)} onClick={() => pane.toggle(kind)} title={PICTURES[kind][1]}>
              {PICTURES[kind][0]}
            </button>
          ))}
          <button type="button" aria-pressed={follows.value} onClick={() => (follows.value = !follows.value)} title="Keep the current node in the middle (f)">
            Follow
          </button>
          <button
            type="button" aria-pressed={pane.quiz.question.value !== null} onClick={() => pane.quiz.toggle()}
            title="A quiz: what happens next? (q)"
          >
            Quiz
          </button>
          <button type="button" onClick={() => pane.stages.forEach((stage) => stage.fit())} title="Show everything (0)">Fit</button>
          <button type="button" onClick={() => void save(pane, "svg")} title="Save what is on the screen as SVG">SVG</button>
          <button type="button" onClick={() => void save(pane, "png")} title="Save what is on the screen as PNG">PNG</button>
          <button type="button" aria-pressed={pane.filmed.value !== null} onClick={() => void pane.film()} title="Save the run as an animated GIF (e)">
            {pane.filmed.value === null ? "GIF" : `GIF ${Math.round(100 * pane.filmed.value)} %`}
          </button>
        </span>
      </header>
      <div class="body">
        {shows.value.map((kind) => (
          <div key={kind} class="picture">
            <StageView pane={pane} kind={kind} />
            <Legend pane={pane} kind={kind} />
          </div>
        ))}
        <aside>
          <QuizView pane={pane} />
          <p class="sentence" role="status" aria-live={player.isPlaying.value ? "off" : "polite"}>{explain(run, time.value)}</p>
          <Rounds pane={pane} />
          <NodeView pane={pane} node={shownNode(pane)} />
          <CountsView pane={pane} />
          {run.partsAt(time.value, USUAL).map((part) => <AgendaView key={part.name} pane={pane} part={part} />)}
          {!run.game && <ClosedView pane={pane} />}
          <Outline pane={pane} node={shownNode(pane)} />
        </aside>
      </div>
      {recording.dropped > 0 && (
        <p class="note">The recording ends here: {recording.dropped.toLocaleString("en")} later events were not recorded.</p>
      )}
    </section>
  );
}

const PICTURES: Record<Kind, [string, string]> = {
  map: ["Map", "Show the map (m)"],
  tree: ["Tree", "Show the tree (t)"],
  graph: ["Graph", "Show the graph of the states, in which paths to the same state join (s)"],
};

/** The selected node or, without one, the current one. */
function shownNode(pane: Pane): number {
  const { run, time, selected } = pane;
  const chosen = selected.value;
  return chosen !== NONE && run.status(chosen, time.value) !== "unborn" ? chosen : run.currentAt(time.value);
}

function Legend({ pane, kind }: { pane: Pane; kind: Kind }) {
  const palette = pane.palette.value;
  const { run } = pane;
  if (kind === "map") {
    const hasSides = run.recording.agenda.kind === "sides";
    return (
      <ul class="legend">
        <li><i class="ramp" aria-hidden="true" /> {hasSides ? "expanded forward" : "expanded"}, from the first to the last</li>
        {hasSides && <li><i class="ramp backward" aria-hidden="true" /> expanded backward</li>}
        <li><i style={{ background: palette.line.open }} aria-hidden="true" /> on the open list</li>
        <li><i style={{ background: palette.solution }} aria-hidden="true" /> path of the solution</li>
      </ul>
    );
  }
  const fates = Object.entries(meaningsOf(run)).map(([status, meaning]) => ({
    meaning, fill: palette.fill[status as Status], line: palette.line[status as Status], dash: status === "pruned" || status === "duplicate",
  }));
  const marks = MARKS.flatMap((mark, number) => (run.game?.mark.includes(number) && palette.marked[mark] ? [{ meaning: MARK_WORDS[mark], ...palette.marked[mark], dash: false }] : []));
  return (
    <ul class="legend">
      {[...fates, ...marks].map(({ meaning, fill, line, dash }) => (
        <li key={meaning}>
          <svg width="16" height="12" aria-hidden="true">
            <rect x="1" y="1" width="14" height="10" rx="2" stroke-width="1.5" fill={fill} stroke={line} stroke-dasharray={dash ? "3 2" : undefined} />
          </svg>
          {meaning}
        </li>
      ))}
      <li>
        <svg width="16" height="12" aria-hidden="true">
          <path d="M1 6H15" stroke-width="3" stroke={palette.solution} />
        </svg>
        {run.game ? "best line" : "path of the solution"}
      </li>
    </ul>
  );
}

const MOST_ROUNDS = 30;

/** The iterations of an iterative algorithm, or the depths of a game search, each with its bound. */
function Rounds({ pane }: { pane: Pane }) {
  const { run, time, player } = pane;
  const current = run.iterationAt(time.value);
  const heading = run.headingOf(current);
  if (heading === null) return null;
  const from = Math.max(0, Math.min(current - MOST_ROUNDS / 2, run.at.round.length - MOST_ROUNDS));
  return (
    <ol class="rounds" aria-label={run.game ? "depths" : "iterations"}>
      {run.at.round.slice(from, from + MOST_ROUNDS).map((event, place) => (
        <li key={event}>
          <button
            type="button" aria-current={from + place === current ? "step" : undefined} title={`iteration ${from + place + 1}`}
            onClick={() => player.go(player.stepAfter(run, event))}
          >
            {run.headingOf(from + place)}
          </button>
        </li>
      ))}
    </ol>
  );
}

function NodeView({ pane, node }: { pane: Pane; node: number }) {
  const { run, time, player } = pane;
  if (node === NONE) return null;
  const { evaluation } = run.recording;
  const action = run.actionOf(node);
  const was = (event: number) => event < time.value && (
    <button type="button" onClick={() => player.go(player.stepAfter(run, event))}>go there</button>
  );
  return (
    <div class="node">
      <StatePicture pane={pane} node={node} />
      <dl>
        <dt>state</dt><dd>{run.name(node)}</dd>
        {run.isLeftOut(node) && [<dt key="p">picture</dt>, <dd key="q">not recorded: the earlier pictures reached the limit</dd>]}
        {action !== null && [<dt key="a">by</dt>, <dd key="b">{action}</dd>]}
        <dt>{run.game ? "value" : evaluation === "f" ? "g + h" : evaluation}</dt>
        <dd>{run.game || evaluation === "f" ? values(run, node, time.value) : shown(run[evaluation][node])}</dd>
        <dt>now</dt><dd>{fateInWords(run, node, time.value)}</dd>
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
  const svg = run.svgOf(node);
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
  const size = { width: `${PICTURE_WIDTH}px`, height: `${height}px` };
  if (svg !== null) return <img class="state" src={urlOf(svg)} alt={run.name(node)} style={{ ...size, background: palette.fill[status] }} />;
  if (run.recording.picture.kind === "map") return null;
  return <canvas ref={canvas} class="state" style={size} role="img" aria-label={run.name(node)} />;
}

function CountsView({ pane }: { pane: Pane }) {
  const { run, time } = pane;
  const goal = run.goalWithin(time.value);
  const { generated, expanded, pruned, ...others } = run.counts(time.value);
  const counts = run.game
    ? { "nodes visited": generated - pruned, "values known": expanded, pruned, depth: run.waitingAt(time.value) }
    : { expanded, generated, ...others, pruned, "on the open list": run.openAt(time.value) };
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

function AgendaView({ pane, part }: { pane: Pane; part: Part }) {
  const { run, time, selected } = pane;
  const { nodes, length, name } = part;
  const isOrdered = part.isOrdered && !pane.quiz.isOpen;
  if (pane.quiz.isOpen) nodes.sort((one, other) => one - other); // their order would give the answer away
  const isPath = run.recording.agenda.kind === "path";
  return (
    <div class="agenda">
      <h3>{run.game ? "Line of play" : isPath ? "Path" : `${name || "Open list"}${isOrdered ? ", the next one first" : ""}`}</h3>
      <ol>
        {nodes.map((node, place) => (
          <li key={node}>
            <button type="button" aria-pressed={selected.value === node} onClick={() => pick(pane, node)}>
              <span>{run.label(node)}</span>
              {isOrdered && !isPath && place > 0 && <Tie run={run} first={nodes[place - 1]} second={node} />}
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

/** What broke the tie between a node and the one before it; nothing if there was none. */
function Tie({ run, first, second }: { run: Run; first: number; second: number }) {
  const broken = run.tieBreak(first, second);
  if (broken === undefined) return null;
  return <small title="what puts it behind the node above">{broken === null ? "entered later" : `tie: ${broken}`}</small>;
}

/** The expanded nodes, closed until it is opened, because it is long. */
function ClosedView({ pane }: { pane: Pane }) {
  const { run, time, selected } = pane;
  const isOpen = useSignal(false);
  const { nodes, length } = run.closedAt(time.value, isOpen.value ? USUAL : 0);
  return (
    <details class="agenda" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Expanded: {length.toLocaleString("en")}</summary>
      <ol aria-label="expanded nodes, the last one first">
        {nodes.map((node, place) => (
          <li key={place}>
            <button type="button" aria-pressed={selected.value === node} disabled={pane.quiz.isOpen} onClick={() => pick(pane, node)}>
              <span>{run.label(node)}</span>
              <b>{values(run, node, time.value)}</b>
            </button>
          </li>
        ))}
      </ol>
      {isOpen.value && length > nodes.length && <p>and {(length - nodes.length).toLocaleString("en")} more</p>}
    </details>
  );
}

function pick(pane: Pane, node: number): void {
  if (pane.quiz.asksForNode) {
    pane.quiz.answer(node);
    return;
  }
  pane.selected.value = pane.selected.value === node ? NONE : node;
  if (pane.selected.value !== NONE) for (const stage of pane.stages.values()) stage.centreOn(node);
}

async function save(pane: Pane, kind: "svg" | "png"): Promise<void> {
  const { stage } = pane;
  if (!stage) return;
  const blob = kind === "svg" ? new Blob([stage.svg()], { type: "image/svg+xml" }) : await stage.png();
  if (blob) download(pane, blob, kind);
}

function download(pane: Pane, blob: Blob, suffix: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${pane.run.recording.problem}-${pane.run.recording.algorithm}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
