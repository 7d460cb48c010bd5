// Questions about the next step: which node is expanded next, what f of a child is, and which moves are looked at. The answer
// is explained.

import { type Signal, signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { explain } from "./explain.ts";
import type { Pane } from "./pane.tsx";
import { NONE, type Run } from "./run.ts";
import { shown } from "./words.ts";

export type Answer = number | "looked at" | "pruned" | ReadonlySet<number>;

export interface Question {
  /** The event that gives the answer; it is hidden until then. */
  event: number;
  words: string;
  right: Answer;
  /** Whether the answer is a number that is written; otherwise it is a node that is clicked, or a button. */
  isWritten?: boolean;
  /** The leaves of which some are the answer, and the time at which the fate of all is known. */
  leaves?: { nodes: readonly number[]; known: number };
}

export class Quiz {
  readonly question: Signal<Question | null> = signal(null);
  /** What was said about the last answer; null while a question is open. */
  readonly verdict: Signal<string | null> = signal(null);
  readonly score = signal({ right: 0, asked: 0 });

  constructor(private readonly pane: Pane) {}

  /** Whether the answer to a question must not be seen. */
  get isOpen(): boolean {
    return this.question.value !== null && this.verdict.value === null;
  }

  /** Whether the answer to the open question is a node that is clicked. */
  get asksForNode(): boolean {
    return this.isOpen && !this.pane.run.game && !this.question.value?.isWritten;
  }

  toggle(): void {
    if (this.question.value) this.question.value = null;
    else {
      this.score.value = { right: 0, asked: 0 };
      if (this.pane.time.value >= this.pane.run.events) this.pane.player.go(0);
      this.ask();
    }
  }

  /** Go to the next moment worth a question, just before its event. */
  ask(): void {
    const { run, player, selected } = this.pane;
    player.isPlaying.value = false;
    if (player.unit.value !== "events") player.measureIn("events");
    const from = this.pane.time.value + (this.question.value?.event === this.pane.time.value ? 1 : 0);
    const isTurnOfChildren = this.score.value.asked % 3 === 2; // every third question
    const found = run.game ? (isTurnOfChildren && nextLeaves(run, from)) || nextMove(run, from) : (isTurnOfChildren && nextChild(run, from)) || nextExpansion(run, from);
    this.verdict.value = found ? null : "No more questions.";
    this.question.value = found ?? { event: run.events, words: "", right: NONE };
    selected.value = NONE;
    if (found) player.go(found.event);
  }

  answer(given: Answer): void {
    const { question } = this;
    const { run, player } = this.pane;
    if (!question.value || !this.isOpen) return;
    const { event, right, leaves } = question.value;
    const isRight = isSame(given, right);
    this.score.value = { right: this.score.value.right + Number(isRight), asked: this.score.value.asked + 1 };
    this.verdict.value = `${isRight ? "Right." : "No."} ${leaves ? cutsOf(run, leaves.nodes) : explain(run, event + 1)}`;
    player.go(leaves?.known ?? event + 1);
  }
}

function isSame(given: Answer, right: Answer): boolean {
  if (typeof given === "number" && typeof right === "number") return Math.abs(given - right) < 1e-6 * Math.max(1, Math.abs(right));
  if (typeof given === "object" && typeof right === "object") return given.size === right.size && [...given].every((node) => right.has(node));
  return given === right;
}

/** The next expansion with at least two nodes to choose from. */
function nextExpansion(run: Run, from: number): Question | null {
  for (const event of run.at.expand) {
    if (event < from) continue;
    const { length } = run.agendaAt(event, 2);
    if (run.recording.agenda.kind === "path" || length > 1) {
      return { event, words: "Which node is expanded next? Click it in the tree, or in the list.", right: run.node[event] };
    }
  }
  return null;
}

/** The next child whose f is a sum: of g of its parent, the cost of the action, and its h. */
function nextChild(run: Run, from: number): Question | null {
  const { heuristic, evaluation } = run.recording;
  if (!heuristic || evaluation === "g" || evaluation === "h") return null;
  for (const event of run.at.generate) {
    const node = run.node[event];
    const parent = node === NONE ? NONE : run.parent[node];
    if (event < from || parent === NONE) continue;
    const known = `Its parent has g = ${shown(run.g[parent])}, the action costs ${shown(run.g[node] - run.g[parent])}, and its h is ${shown(run.h[node])}`;
    return { event, words: `What is f of the child by ${run.actionOf(node)}: ${run.name(node)}? ${known}.`, right: run.f(node), isWritten: true };
  }
  return null;
}

/** The next move whose fate depends on the window: one of a node that has a searched move already. */
function nextMove(run: Run, from: number): Question | null {
  for (let event = from; event < run.events; event++) {
    const kind = run.kindAt(event);
    const node = run.node[event];
    if ((kind !== "generate" && kind !== "prune") || node === NONE || run.parent[node] === NONE) continue;
    const parent = run.parent[node];
    if (run.currentAt(event) === parent) continue; // the first move is always looked at
    const sentence = `At ${placeOf(run, parent)}, ${run.inGame(parent, event).side} moves. Is the move ${run.actionOf(node)} looked at?`;
    return { event, words: sentence, right: kind === "prune" ? "pruned" : "looked at" };
  }
  return null;
}

/** The next position whose moves all lead to leaves: those that are never looked at are the answer. */
function nextLeaves(run: Run, from: number): Question | null {
  for (const generated of run.at.generate) {
    const parent = run.node[generated];
    const event = generated + 1; // the position and its window are seen
    if (event < from || parent === NONE || run.expandedAt[parent] >= run.events) continue;
    const nodes = run.childrenAt(parent, run.events);
    if (nodes.length < 2 || nodes.some((node) => run.childrenAt(node, run.events).length > 0)) continue;
    const { side, words } = run.inGame(parent, event);
    const sentence = `At ${placeOf(run, parent)}, ${side} moves${words ? `, with the window ${words}` : ""}. Which leaves are never looked at?`;
    const right = new Set(nodes.filter((node) => run.prunedAt[node] < run.events));
    return { event, words: sentence, right, leaves: { nodes, known: run.expandedAt[parent] + 1 } };
  }
  return null;
}

/** The cut of each leaf that was pruned. */
function cutsOf(run: Run, leaves: readonly number[]): string {
  const cuts = leaves.filter((node) => run.prunedAt[node] < run.events).map((node) => explain(run, run.prunedAt[node] + 1));
  return cuts.length ? cuts.join(" ") : "All are looked at: no value closes the window before the last one.";
}

function placeOf(run: Run, node: number): string {
  return run.parent[node] === NONE ? "the root" : `the position after ${run.actionOf(node)}`;
}

/** Leaves that are ticked as the answer. */
function Ticked({ quiz, run, leaves }: { quiz: Quiz; run: Run; leaves: readonly number[] }) {
  const answer = (event: SubmitEvent) => {
    event.preventDefault();
    const ticked = new FormData(event.currentTarget as HTMLFormElement).getAll("leaf");
    quiz.answer(new Set(ticked.map(Number)));
  };
  return (
    <form onSubmit={answer}>
      <fieldset>
        <legend>Never looked at</legend>
        {leaves.map((node) => <label key={node}><input type="checkbox" name="leaf" value={node} /> {run.actionOf(node)} </label>)}
      </fieldset>
      <button type="submit">Check</button>
    </form>
  );
}

/** A number that is written as the answer. */
function Written({ quiz }: { quiz: Quiz }) {
  const field = useRef<HTMLInputElement>(null);
  const answer = (event: Event) => {
    event.preventDefault();
    const written = field.current!.value.trim();
    if (written !== "" && !Number.isNaN(Number(written))) quiz.answer(Number(written));
  };
  return (
    <form onSubmit={answer}>
      <label>f = <input ref={field} type="text" inputMode="decimal" size={8} /></label> <button type="submit">Answer</button>
    </form>
  );
}

export function QuizView({ pane }: { pane: Pane }) {
  const { quiz, run } = pane;
  const question = quiz.question.value;
  if (!question) return null;
  const { right, asked } = quiz.score.value;
  return (
    <div class="quiz" role="group" aria-label="question">
      <p role="status" aria-live="polite">{quiz.verdict.value ?? question.words}</p>
      {quiz.isOpen && run.game && !question.leaves && (["looked at", "pruned"] as const).map((answer) => (
        <button key={answer} type="button" onClick={() => quiz.answer(answer)}>{answer === "pruned" ? "No, it is pruned" : "Yes"}</button>
      ))}
      {quiz.isOpen && question.leaves && <Ticked key={question.event} quiz={quiz} run={run} leaves={question.leaves.nodes} />}
      {quiz.isOpen && question.isWritten && <Written quiz={quiz} />}
      {!quiz.isOpen && question.right !== NONE && <button type="button" onClick={() => quiz.ask()}>Next question</button>}
      {asked > 0 && <span>{right} of {asked} right</span>}
    </div>
  );
}
