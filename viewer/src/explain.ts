// What happens at an event, in a sentence, from the actual numbers.

import { type Kind, NONE, type Run } from "./run.ts";
import { shown } from "./words.ts";

/** The sentence for the last of `time` events. */
export function explain(run: Run, time: number): string {
  if (run.events === 0) return "Nothing was recorded.";
  if (time === 0) return "The search has not begun.";
  const event = time - 1;
  const node = run.node[event];
  const kind = run.kindAt(event);
  const reason = run.reasonAt(event);
  if (run.game) return explainGame(run, node, kind, reason, time);
  switch (kind) {
    case "generate":
      return `Generates ${way(run, node)}: ${numbers(run, node)}.${run.recording.agenda.kind === "list" ? " It enters the open list." : ""}`;
    case "expand":
      return `Expands ${run.name(node)}${why(run, node, time)}`;
    case "duplicate":
      return `Drops ${way(run, node)}: its state was reached before by a path that is no more expensive.`;
    case "update":
      return `Finds a cheaper path to ${way(run, node)}, which is on the open list: ${numbers(run, node)}.`;
    case "reopen":
      return `Finds a cheaper path to ${way(run, node)}, which was expanded before: it is reopened with ${numbers(run, node)}.`;
    case "prune":
      return `Prunes ${way(run, node)}: ${reason}.`;
    case "goal": {
      const goal = run.goalWithin(time);
      return goal ? `Finds a goal, with cost ${shown(goal.cost)}.` : "Finds a goal.";
    }
    case "round":
      return `Begins iteration ${run.iterationAt(time) + 1}: ${reason}.`;
    case "bound":
      return `Proves that no solution costs less than ${shown(run.boundAt(time))}.`;
    case "limit":
      return reason === "interrupted" ? "The search is interrupted." : `Stops at the limit of ${reason}.`;
    case "end":
      return `Ends: ${reason ?? whyOver(run, time)}.`;
  }
}

function whyOver(run: Run, time: number): string {
  const goal = run.goalWithin(time);
  if (!goal) return "no node is left to expand";
  return run.boundAt(time) >= goal.cost ? `no solution costs less than ${shown(goal.cost)}` : "no node is left that could lead to a better solution";
}

function explainGame(run: Run, node: number, kind: Kind, reason: string | null, time: number): string {
  if (node === NONE) return "Ends.";
  const move = run.actionOf(node);
  const { side, words } = run.inGame(node, time);
  const place = move === null ? "the root" : `the position after ${move}`;
  switch (kind) {
    case "round":
      return `Begins a search ${reason}.`;
    case "generate":
      return `Looks at ${place}, ${side ? `where ${side} moves, ` : ""}with the window ${words}.`;
    case "expand":
      return `The value of ${place} is ${words}${reason ? `: ${reason}` : ""}.`;
    case "prune":
      return `Never looks at ${move}: ${reason}.`;
    case "goal":
      return `Ends with the value ${reason}; the green line is best play.`;
    default:
      return "Ends.";
  }
}

function way(run: Run, node: number): string {
  const action = run.actionOf(node);
  return action === null ? run.name(node) : `${run.name(node)} by ${action}`;
}

function numbers(run: Run, node: number): string {
  const [g, h] = [shown(run.g[node]), shown(run.h[node])];
  const { evaluation, heuristic } = run.recording;
  if (!heuristic && evaluation === "g") return `g = ${g}`;
  return evaluation === "h" ? `h = ${h}` : `f = g + h = ${g} + ${h} = ${shown(run.f(node))}`;
}

/** Why this node was expanded: what the next one on the open list has more of. */
function why(run: Run, node: number, time: number): string {
  const { order, kind } = run.recording.agenda;
  if (kind !== "list") return `: ${numbers(run, node)}.`;
  const next = run.agendaAt(time, 2).nodes.find((other) => other !== node) ?? NONE;
  if (next === NONE) return ": no other node is on the open list.";
  const of = { f: run.f(node), g: run.g[node], h: run.h[node], value: run.value(node) };
  const rival = { f: run.f(next), g: run.g[next], h: run.h[next], value: run.value(next) };
  const called = { f: "f", g: "g", h: "h", value: `g + ${run.recording.weight} h` };
  for (const [place, name] of order.entries()) {
    if (of[name] !== rival[name]) {
      const ties = place ? ` among those with ${called[order[0]]} = ${shown(of[order[0]])}` : "";
      return `: its ${called[name]} = ${shown(of[name])} is the lowest on the open list${ties}.`;
    }
  }
  const first = order.length ? `: among the nodes with ${called[order[0]]} = ${shown(of[order[0]])}` : ": of the nodes on the open list";
  return `${first}, it entered first.`;
}
