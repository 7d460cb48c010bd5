// The play page: any game against the engine, or two persons, with what the engine thinks of each move.

import { type Signal, signal, useSignal } from "@preact/signals";
import { type Catalogue, type GameKind, Job, ask, words } from "./api.ts";
import { type Board, BoardView, type Mark, type Move, type Square } from "./game_board.tsx";
import { type MoveTree, lineTo, played, promoted, start, without } from "./move_tree.ts";
import { Watch } from "./watch.tsx";
import { Choice, Field, Flag, NumberBox, Problem, counted, duration, named } from "./widgets.tsx";

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
/** Moves at random with which each pair of games of a match begins, so that its games differ. */
const OPENING = 2;
const PAUSE_BETWEEN_GAMES = 1200;

/** Games of two engines against each other. The first player changes sides after each game. */
interface Match {
  games: number;
  /** Wins of the first player, draws, losses. */
  results: [number, number, number];
  /** The side of the first player in the game under way. */
  side: 0 | 1;
  opening: string[];
}

export class PlayPage {
  readonly game: Signal<string>;
  readonly options: Signal<Record<string, string>> = signal({});
  readonly tree: Signal<MoveTree> = signal(start());
  /** Where the game begins, in its notation; empty: the usual position. */
  readonly begins = signal("");
  /** Whether the engine plays each side. */
  readonly engines: Signal<[boolean, boolean]> = signal([false, true]);
  /** The level of each side. */
  readonly levels: Signal<[number, number]> = signal([LEVEL_AT_FIRST, LEVEL_AT_FIRST]);
  /** Whether two engines wait before their next move. */
  readonly isPaused = signal(false);
  readonly match: Signal<Match | null> = signal(null);
  readonly games: Signal<number | null> = signal(10);
  readonly depth: Signal<number | null> = signal(3);
  readonly method: Signal<string>;
  readonly recording: Signal<unknown> = signal(null);
  readonly position: Signal<Position | null> = signal(null);
  readonly analysis: Signal<Analysis | null> = signal(null);
  readonly scores = signal(false);
  readonly hint: Signal<string | null> = signal(null);
  readonly thinks: Signal<"" | "move" | "scores" | "hint" | "tree"> = signal("");
  readonly failed = signal("");
  private job: Job | null = null;
  private preparing: Job | null = null;
  private readonly ready = new Set<string>();
  private turn = 0;
  /** The place whose position is shown. */
  private shown = "";
  private isAwake = false;

  constructor(readonly catalogue: Catalogue) {
    this.method = signal(catalogue.methods[1]);
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

  get moves(): string[] {
    const { value } = this.tree;
    return lineTo(value, value.at).map((node) => value.nodes[node].text);
  }

  again(): void {
    this.match.value = null;
    this.isPaused.value = false;
    this.begins.value = "";
    this.begin();
  }

  private begin(): void {
    this.tree.value = start();
    void this.go();
  }

  /** Begin at a position in the notation of the game. A wrong one changes nothing. */
  async setUp(position: string): Promise<void> {
    const begins = position.trim();
    try {
      await ask({ work: "position", ...this.request, start: begins, moves: [] });
    } catch (error) {
      this.failed.value = words(error);
      return;
    }
    this.match.value = null;
    this.begins.value = begins;
    this.begin();
  }

  /** Play a move of the position that is shown; none while the next one is on its way. */
  play(move: string): void {
    if (this.shown !== this.place) return;
    const { mover } = this.position.value!;
    if (!this.engines.value[mover]) this.isPaused.value = false; // an engine that waited answers
    this.tree.value = played(this.tree.value, move, mover);
    void this.go();
  }

  /** Go to a move of the tree. If an engine played on from there, it waits. */
  goTo(node: number): void {
    const { nodes } = this.tree.value;
    if (node < 0 || node >= nodes.length) return;
    this.tree.value = { ...this.tree.value, at: node };
    this.isPaused.value = nodes[node].children.length > 0;
    void this.go();
  }

  /** A move back or forward, along the line that was played last. */
  step(by: -1 | 1): void {
    const { nodes, at } = this.tree.value;
    this.goTo(by < 0 ? nodes[at].parent : (nodes[at].children[0] ?? -1));
  }

  drop(): void {
    this.tree.value = without(this.tree.value);
    this.isPaused.value = true;
    void this.go();
  }

  promote(): void {
    this.tree.value = promoted(this.tree.value);
  }

  /** Take back the last move of a person, and what the engine answered. */
  takeBack(): void {
    const { value } = this.tree;
    let { at } = value;
    do at = value.nodes[at].parent;
    while (at > 0 && value.nodes[at].children.some((child) => this.engines.value[value.nodes[child].side ?? 0]));
    this.tree.value = { ...value, at: Math.max(0, at) };
    void this.go();
  }

  pause(waits: boolean): void {
    this.isPaused.value = waits;
    if (waits) this.cancel();
    void this.go();
  }

  /** Two engines play a number of games. */
  playMatch(): void {
    this.engines.value = [true, true];
    this.isPaused.value = false;
    this.begins.value = "";
    this.match.value = { games: Math.max(1, this.games.value ?? 1), results: [0, 0, 0], side: 0, opening: [] };
    this.begin();
  }

  /** Count a game of the match, and begin the next one. */
  private async nextGame(turn: number, winner: 0 | 1 | null): Promise<void> {
    const match = this.match.value!;
    const results: [number, number, number] = [...match.results];
    results[winner === null ? 1 : winner === match.side ? 0 : 2]++;
    const isNewPair = match.side === 1;
    this.match.value = { ...match, results, side: match.side ? 0 : 1, opening: isNewPair ? [] : match.opening };
    if (results[0] + results[1] + results[2] >= match.games) return;
    await new Promise((done) => setTimeout(done, PAUSE_BETWEEN_GAMES));
    if (turn === this.turn && this.match.value && !this.isPaused.value) this.begin();
  }

  /** The move with which a game of the match opens: at random, the same for both games of a pair. */
  private openingMove(position: Position): string | null {
    const match = this.match.value;
    const place = this.moves.length;
    if (!match || place >= OPENING) return null;
    if (match.opening[place] && position.moves.some(({ text }) => text === match.opening[place])) return match.opening[place];
    const { text } = position.moves[Math.floor(Math.random() * position.moves.length)];
    this.match.value = { ...match, opening: [...match.opening.slice(0, place), text] };
    return text;
  }

  /** The level of a side; in a match the players change sides. */
  levelOf(side: 0 | 1): number {
    const { value } = this.match;
    return this.levels.value[value ? (side === value.side ? 0 : 1) : side];
  }

  setLevel(side: 0 | 1, level: number): void {
    const levels: [number, number] = [...this.levels.value];
    levels[side] = level;
    this.levels.value = levels;
  }

  /** Search the position, and show the tree. */
  async showTree(): Promise<void> {
    const { turn } = this;
    await this.think("tree", { depth: this.depth.value ?? 1, method: this.method.value });
    if (turn === this.turn && this.scores.value) void this.think("scores", { seconds: SECONDS_OF_SCORES });
  }

  setEngine(side: 0 | 1, plays: boolean): void {
    const engines: [boolean, boolean] = [...this.engines.value];
    engines[side] = plays;
    this.engines.value = engines;
    this.match.value = null;
    this.isPaused.value = false;
    void this.go();
  }

  showScores(shows: boolean): void {
    this.scores.value = shows;
    void this.go();
  }

  private get request() {
    const engine = this.ready.has(this.name) ? "" : "python";
    return { game: this.game.value, options: this.options.value, moves: this.moves, start: this.begins.value, engine };
  }

  private get name(): string {
    return JSON.stringify([this.game.value, this.options.value]);
  }

  /** The game and the moves whose position is to be shown. */
  private get place(): string {
    return JSON.stringify([this.name, this.begins.value, this.moves]);
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
    const { place } = this;
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
    this.shown = place;
    if (!this.isAwake) return;
    if (position.over) {
      if (this.match.value && !this.isPaused.value) await this.nextGame(turn, position.winner);
    } else if (this.engines.value[position.mover]) {
      const opening = this.openingMove(position);
      if (this.isPaused.value) return;
      if (opening) this.play(opening);
      else await this.move(turn, position.mover);
    }
    else if (this.scores.value) void this.think("scores", { seconds: SECONDS_OF_SCORES });
  }

  private async move(turn: number, side: 0 | 1): Promise<void> {
    let chosen = "";
    const begun = performance.now();
    await this.think("move", { level: this.levelOf(side) }, (move) => (chosen = move));
    await new Promise((done) => setTimeout(done, Math.max(0, PAUSE - (performance.now() - begun))));
    if (turn === this.turn && chosen) this.play(chosen);
  }

  private async think(what: "move" | "scores" | "hint" | "tree", limits: Record<string, number | string>, decide?: (move: string) => void): Promise<void> {
    this.cancel();
    const job = (this.job = new Job());
    this.thinks.value = what;
    await job.run({ work: what === "tree" ? "tree" : "think", ...this.request, ...limits }, (message) => {
      if (message.analysis) this.analysis.value = message.analysis as Analysis;
      if (message.recording) this.recording.value = message.recording;
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
  const isPersons = position !== null && !position.over && (!engines.value[position.mover] || (page.isPaused.value && !page.match.value));
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
          <div key={side} class="side">
            <Field label={position ? position.sides[side] : side ? "second" : "first"} hint={engines.value[side] ? page.catalogue.levels[page.levels.value[side]].summary : undefined}>
              <Choice
                value={engines.value[side] ? String(page.levels.value[side]) : "person"}
                choices={["person", ...page.catalogue.levels.map(({ name }, place) => [String(place), `engine: ${name}`] as [string, string])]}
                choose={(who) => {
                  if (who !== "person") page.setLevel(side, +who);
                  page.setEngine(side, who !== "person");
                }}
              />
            </Field>
          </div>
        ))}
        <Flag value={page.scores.value} set={(shows) => page.showScores(shows)}>Show the score of each move</Flag>
        <div class="row">
          <button type="button" class="primary" onClick={() => page.again()}>New game</button>
          <button type="button" disabled={page.tree.value.at === 0} onClick={() => page.takeBack()}>Take back</button>
          <button type="button" disabled={!isPersons} onClick={() => void page.help()}>Hint</button>
        </div>
        <Played page={page} />
        <SetUp page={page} />
        <MatchView page={page} />
        <details>
          <summary>The tree of the search</summary>
          <Field label="depth"><NumberBox value={page.depth.value} step="1" set={(depth) => (page.depth.value = depth)} /></Field>
          <Field label="method"><Choice value={page.method.value} choices={page.catalogue.methods} choose={(method) => (page.method.value = method)} /></Field>
          <div class="row"><button type="button" disabled={!position || position.over} onClick={() => void page.showTree()}>{page.thinks.value === "tree" ? "Searching\u2026" : "Show the tree"}</button></div>
        </details>
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
      {page.recording.value !== null && <Watch recording={page.recording.value} close={() => (page.recording.value = null)} />}
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
  const engines = page.engines.value[0] && page.engines.value[1];
  const who = page.engines.value[mover] ? `the engine, level ${page.catalogue.levels[page.levelOf(mover)].name}` : "a person";
  return (
    <p class="turn" role="status">
      <i class={`chip side-${mover}`} aria-hidden="true" /> {sides[mover]} to move ({who})
      {page.isPaused.value && page.engines.value[mover] && <button type="button" onClick={() => page.pause(false)}>Go on</button>}
      {!page.isPaused.value && engines && <button type="button" onClick={() => page.pause(true)}>Pause</button>}
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

/** The moves so far with their variations, to go back to. */
function Played({ page }: { page: PlayPage }) {
  const { nodes, at } = page.tree.value;
  if (nodes.length < 2 || !nodes[0].children.length) return null;
  const isMain = lineTo(page.tree.value, at).every((node) => nodes[nodes[node].parent].children[0] === node);
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    page.step(event.key === "ArrowLeft" ? -1 : 1);
  };
  return (
    <div class="played" onKeyDown={pressed}>
      <h3>Moves</h3>
      <p class="line"><Line page={page} from={0} /></p>
      <div class="row">
        <button type="button" aria-label="a move back" disabled={at === 0} onClick={() => page.step(-1)}>{"\u2190"}</button>
        <button type="button" aria-label="a move forward" disabled={!nodes[at].children.length} onClick={() => page.step(1)}>{"\u2192"}</button>
        {!isMain && <button type="button" onClick={() => page.promote()}>Make it the main line</button>}
        {at > 0 && (!isMain || nodes[at].children.length > 0) && <button type="button" onClick={() => page.drop()}>Delete from here</button>}
      </div>
    </div>
  );
}

/** The moves after a node: its main line, and each variation in brackets where it begins. */
function Line({ page, from }: { page: PlayPage; from: number }) {
  const { nodes } = page.tree.value;
  const shown = [];
  for (let node = from; nodes[node].children.length; node = nodes[node].children[0]) {
    const [main, ...others] = nodes[node].children;
    shown.push(<MoveButton key={main} page={page} node={main} />);
    for (const other of others) shown.push(<span key={`v${other}`} class="variation">[<MoveButton page={page} node={other} /><Line page={page} from={other} />]</span>);
  }
  return <>{shown}</>;
}

function MoveButton({ page, node }: { page: PlayPage; node: number }) {
  const { nodes, at } = page.tree.value;
  return <button type="button" class={`move side-${nodes[node].side}`} aria-current={node === at ? "true" : undefined} onClick={() => page.goTo(node)}>{nodes[node].text}</button>;
}

/** A position in the notation of the game. */
function SetUp({ page }: { page: PlayPage }) {
  const typed = useSignal<string | null>(null);
  const now = page.position.value?.position ?? "";
  const text = typed.value ?? page.begins.value;
  return (
    <details>
      <summary>Set up a position</summary>
      <form onSubmit={(event) => { event.preventDefault(); void page.setUp(text); }}>
        <textarea rows={3} aria-label="position" value={text} placeholder={now} spellcheck={false} onInput={(event) => (typed.value = event.currentTarget.value)} />
        <small>In the notation of the game; the current position is shown in grey. Empty: the usual start.</small>
        <div class="row">
          <button type="submit">Set up</button>
          <button type="button" onClick={() => (typed.value = now)}>Use the current position</button>
        </div>
      </form>
    </details>
  );
}

function MatchView({ page }: { page: PlayPage }) {
  const match = page.match.value;
  const played = match ? match.results.reduce((sum, count) => sum + count, 0) : 0;
  return (
    <details open={match !== null}>
      <summary>Match of two engines</summary>
      <p class="faint">The engines play at the levels above and change sides after each game. Each pair of games begins with two random moves.</p>
      {match && (
        <p class="score-line" role="status">
          <b>{match.results[0]}</b> won, <b>{match.results[1]}</b> drawn, <b>{match.results[2]}</b> lost by the first player{played >= match.games ? "." : `, game ${played + 1} of ${match.games}`}
        </p>
      )}
      <div class="row">
        <label class="inline">games <NumberBox value={page.games.value} step="1" set={(games) => (page.games.value = games)} /></label>
        <button type="button" onClick={() => page.playMatch()}>{match ? "Start again" : "Start the match"}</button>
      </div>
    </details>
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
