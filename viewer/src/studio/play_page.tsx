// The play page: any game against the engine, or two persons, with what the engine thinks of each move.

import { type Signal, signal } from "@preact/signals";
import { type Catalogue, type GameKind, Job, ask, words } from "./api.ts";
import { type Board, BoardView, type Mark, type Move, type Square } from "./game_board.tsx";
import { Choice, Field, Flag, Problem, counted, duration, named } from "./widgets.tsx";

interface Position {
  board: Board;
  position: string;
  sides: [string, string];
  mover: 0 | 1;
  moves: Move[];
  played: { text: string; side: 0 | 1 }[];
  last: Square[];
  over: boolean;
  winner: 0 | 1 | null;
  points: number | null;
}

interface Line {
  move: string;
  score: string;
  value: number;
  outcome: "win" | "draw" | "loss" | null;
  best_play: string;
}

interface Analysis {
  depth: number;
  nodes: number;
  seconds: number;
  solved: boolean;
  score: string;
  share: number;
  lines: Line[];
}

const SECONDS_OF_SCORES = 20;
const SECONDS_OF_HINT = 1;
const PAUSE = 350;
const LEVEL_AT_FIRST = 4;

export class PlayPage {
  readonly game: Signal<string>;
  readonly options: Signal<Record<string, string>> = signal({});
  readonly moves: Signal<string[]> = signal([]);
  /** Whether the engine plays each side. */
  readonly engines: Signal<[boolean, boolean]> = signal([false, true]);
  readonly level = signal(LEVEL_AT_FIRST);
  readonly position: Signal<Position | null> = signal(null);
  readonly analysis: Signal<Analysis | null> = signal(null);
  readonly scores = signal(false);
  readonly hint: Signal<string | null> = signal(null);
  readonly thinks: Signal<"" | "move" | "scores" | "hint"> = signal("");
  readonly failed = signal("");
  private job: Job | null = null;
  private preparing: Job | null = null;
  private readonly ready = new Set<string>();
  private turn = 0;
  private isAwake = false;

  constructor(readonly catalogue: Catalogue) {
    const names = catalogue.games.map(({ name }) => name);
    this.game = signal(!names[0].includes(":") && names.includes("connect-four") ? "connect-four" : names[0]);
  }

  get kind(): GameKind {
    return this.catalogue.games.find(({ name }) => name === this.game.value)!;
  }

  /** The page is shown: go on. */
  wake(): void {
    if (this.isAwake) return;
    this.isAwake = true;
    this.prepare();
    void this.go();
  }

  /** The page is not shown any more: nothing runs for it. */
  rest(): void {
    this.isAwake = false;
    this.turn++;
    this.cancel();
    this.preparing?.cancel();
  }

  private cancel(): void {
    this.job?.cancel();
    this.job = null;
    this.thinks.value = "";
  }

  choose(game: string): void {
    this.game.value = game;
    this.options.value = {};
    this.again();
    this.prepare();
  }

  set(option: string, value: string): void {
    this.options.value = { ...this.options.value, [option]: value };
    this.again();
    this.prepare();
  }

  again(): void {
    this.moves.value = [];
    void this.go();
  }

  play(move: string): void {
    this.moves.value = [...this.moves.value, move];
    void this.go();
  }

  /** Take back the last move of a person, and what the engine answered. */
  takeBack(): void {
    const sides = this.position.value?.played.map(({ side }) => side) ?? [];
    let left = this.moves.value.length;
    do left--;
    while (left > 0 && this.engines.value[sides[left]]);
    this.moves.value = this.moves.value.slice(0, Math.max(0, left));
    void this.go();
  }

  setEngine(side: 0 | 1, plays: boolean): void {
    const engines: [boolean, boolean] = [...this.engines.value];
    engines[side] = plays;
    this.engines.value = engines;
    void this.go();
  }

  showScores(shows: boolean): void {
    this.scores.value = shows;
    void this.go();
  }

  private get request() {
    const engine = this.ready.has(this.name) ? "" : "python";
    return { game: this.game.value, options: this.options.value, moves: this.moves.value, engine };
  }

  private get name(): string {
    return JSON.stringify([this.game.value, this.options.value]);
  }

  /** Compile the rules in another process: until that is done, the reference engine plays. */
  private prepare(): void {
    this.preparing?.cancel();
    const { name } = this;
    if (this.ready.has(name) || !this.isAwake) return;
    const job = (this.preparing = new Job());
    void job.run({ work: "prepare", ...this.request }, (message) => {
      if (message.ready !== undefined) this.ready.add(name);
    });
  }

  /** The position after the moves; then the engine moves, or scores the moves, if it should. */
  private async go(): Promise<void> {
    const turn = ++this.turn;
    this.cancel();
    this.analysis.value = null;
    this.hint.value = null;
    let position: Position;
    try {
      position = await ask<Position>({ work: "position", ...this.request });
    } catch (error) {
      if (turn === this.turn) this.failed.value = words(error);
      return;
    }
    if (turn !== this.turn) return;
    this.failed.value = "";
    this.position.value = position;
    if (position.over || !this.isAwake) return;
    if (this.engines.value[position.mover]) await this.move(turn);
    else if (this.scores.value) void this.think("scores", { seconds: SECONDS_OF_SCORES });
  }

  private async move(turn: number): Promise<void> {
    let chosen = "";
    const begun = performance.now();
    await this.think("move", { level: this.level.value }, (move) => (chosen = move));
    await new Promise((done) => setTimeout(done, Math.max(0, PAUSE - (performance.now() - begun))));
    if (turn === this.turn && chosen) this.play(chosen);
  }

  private async think(what: "move" | "scores" | "hint", limits: Record<string, number>, decide?: (move: string) => void): Promise<void> {
    this.cancel();
    const job = (this.job = new Job());
    this.thinks.value = what;
    await job.run({ work: "think", ...this.request, ...limits }, (message) => {
      if (message.analysis) this.analysis.value = message.analysis as Analysis;
      if (message.error) this.failed.value = message.error;
      if (message.move) decide?.(message.move as string);
    });
    if (this.job === job) this.cancel();
  }

  async help(): Promise<void> {
    const { turn } = this;
    await this.think("hint", { seconds: SECONDS_OF_HINT });
    if (turn === this.turn) this.hint.value = this.analysis.value?.lines[0]?.move ?? null;
    if (turn === this.turn && this.scores.value) void this.think("scores", { seconds: SECONDS_OF_SCORES });
  }

  /** The engine gives the best move that it has found. */
  stop(): void {
    this.job?.stop();
  }
}

export function PlayView({ page }: { page: PlayPage }) {
  const { game, kind, position: { value: position }, engines } = page;
  const isPersons = position !== null && !position.over && !engines.value[position.mover];
  const marks = new Map(page.scores.value && isPersons ? page.analysis.value?.lines.map((line) => [line.move, markOf(line)] as const) : []);
  return (
    <div class={`split play sides-${position?.board.pieces?.[0]?.figure ? "chess" : (position?.board.look ?? "plain")}`}>
      <section class="panel" aria-label="game">
        <Field label="Game" hint={kind.summary}>
          <Choice value={game.value} choices={named(page.catalogue.games)} choose={(name) => page.choose(name)} />
        </Field>
        {kind.options.map(({ name, usual }) => (
          <Field key={`${kind.name} ${name}`} label={name}>
            <input value={page.options.value[name] ?? ""} placeholder={usual} onChange={(event) => page.set(name, event.currentTarget.value)} />
          </Field>
        ))}
        {([0, 1] as const).map((side) => (
          <Field key={side} label={position ? position.sides[side] : side ? "second" : "first"}>
            <Choice value={engines.value[side] ? "engine" : "person"} choices={["person", "engine"]} choose={(who) => page.setEngine(side, who === "engine")} />
          </Field>
        ))}
        <Field label="Level" hint={page.catalogue.levels[page.level.value].summary}>
          <Choice value={String(page.level.value)} choices={page.catalogue.levels.map(({ name }, place) => [String(place), name])} choose={(level) => (page.level.value = +level)} />
        </Field>
        <Flag value={page.scores.value} set={(shows) => page.showScores(shows)}>Show the score of each move</Flag>
        <div class="row">
          <button type="button" class="primary" onClick={() => page.again()}>New game</button>
          <button type="button" disabled={!page.moves.value.length} onClick={() => page.takeBack()}>Take back</button>
          <button type="button" disabled={!isPersons} onClick={() => void page.help()}>Hint</button>
        </div>
        <Played page={page} />
      </section>
      <section class="table" aria-label="board and scores">
        <div class="boardside">
          <Turn page={page} />
          {position && (
            <BoardView
              board={position.board} moves={position.moves} last={position.last} marks={marks}
              hint={position.moves.find((move) => move.text === page.hint.value) ?? null}
              play={isPersons ? (move) => page.play(move.text) : null}
            />
          )}
          <Bar page={page} />
          <Problem words={page.failed.value} />
        </div>
        <Moves page={page} isPersons={isPersons} marks={marks} />
      </section>
    </div>
  );
}

function Turn({ page }: { page: PlayPage }) {
  const position = page.position.value;
  if (!position) return <p class="turn">{"\u2026"}</p>;
  const { sides, winner, points, mover } = position;
  if (position.over) {
    const margin = points ? ` by ${Math.abs(points)}` : "";
    return <p class="turn over" role="status">{winner === null ? "Drawn." : `${sides[winner]} has won${margin}.`}</p>;
  }
  const who = page.engines.value[mover] ? "the engine" : "a person";
  return (
    <p class="turn" role="status">
      <i class={`chip side-${mover}`} aria-hidden="true" /> {sides[mover]} to move ({who})
      {page.thinks.value === "move" && <button type="button" onClick={() => page.stop()}>Move now</button>}
    </p>
  );
}

/** How the game stands, by the last analysis. */
function Bar({ page }: { page: PlayPage }) {
  const [position, analysis] = [page.position.value, page.analysis.value];
  if (!position || !analysis) return <div class="standing empty" />;
  const { depth, nodes, seconds, score, share, solved } = analysis;
  return (
    <div class="standing">
      <div class="share" role="img" aria-label={`${position.sides[position.mover]}: ${score}`}><i style={{ width: `${100 * share}%` }} /></div>
      <p>
        <b>{position.sides[position.mover]}: {score}</b>{" "}
        <span class="faint">depth {depth}{solved ? ", solved" : ""}, {counted(nodes)} positions, {duration(seconds)}{page.thinks.value && " \u2026"}</span>
      </p>
    </div>
  );
}

function Moves({ page, isPersons, marks }: { page: PlayPage; isPersons: boolean; marks: ReadonlyMap<string, Mark> }) {
  const position = page.position.value;
  if (!position || position.over) return null;
  const lines = new Map((page.scores.value || page.hint.value !== null ? page.analysis.value?.lines : [])?.map((line) => [line.move, line]));
  const isScored = isPersons && lines.size > 0;
  const order = [...lines.keys()];
  const sorted = isScored ? [...position.moves].sort((one, other) => place(order, one.text) - place(order, other.text)) : position.moves;
  return (
    <div class="moves">
      <h3>Legal moves{isScored && ", the best first"}</h3>
      <ol class={isScored ? "" : "short"}>
        {sorted.map((move) => (
          <li key={move.text}>
            <button type="button" disabled={!isPersons} onClick={() => page.play(move.text)} class={page.hint.value === move.text ? "hinted" : ""}>{move.text}</button>
            {isScored && <b class={marks.get(move.text)?.tone}>{lines.get(move.text)?.score}</b>}
            {isScored && <span class="faint">{lines.get(move.text)?.best_play}</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

const place = (order: string[], move: string) => (order.includes(move) ? order.indexOf(move) : order.length);

function Played({ page }: { page: PlayPage }) {
  const position = page.position.value;
  if (!position?.played.length) return null;
  return (
    <div class="played">
      <h3>Moves so far</h3>
      <p>{position.played.map(({ text, side }, number) => <span key={number} class={`move side-${side}`}>{text}</span>)}</p>
    </div>
  );
}

/** A score in a few letters: W5 is a win in 5 plies, L6 a loss in 6. */
function markOf({ score, value, outcome }: Line): Mark {
  const tone = outcome === "draw" || value === 0 ? "even" : value > 0 ? "good" : "bad";
  const decided = /^(win|loss) in (\d+)/.exec(score);
  if (decided) return { short: `${decided[1] === "win" ? "W" : "L"}${decided[2]}`, tone };
  if (outcome === "draw") return { short: "=", tone };
  return { short: value > 0 ? `+${value}` : String(value).replace("-", "\u2212"), tone };
}
