// Numbers and nodes in words, for people who see the picture and for those who hear it read.

import { meaningsOf } from "./palette.ts";
import { MARKS, NONE, type Run } from "./run.ts";

/** A number for people: whole, or with at most three decimals. */
export function shown(number: number): string {
  if (number === Infinity) return "\u221e";
  return Number.isInteger(number) ? String(number) : String(Math.round(number * 1000) / 1000);
}

/** g + h = f, without terms that the algorithm does not use; in games, the value or the window. */
export function values(run: Run, node: number, time: number): string {
  if (run.game) {
    const { side, words } = run.inGame(node, time);
    return `${side} ${words}`.trim();
  }
  const { evaluation } = run.recording;
  if (evaluation !== "f") return `${evaluation} ${shown(run[evaluation][node])}`;
  return `${shown(run.g[node])}+${shown(run.h[node])}=${shown(run.f(node))}`;
}

/** What has become of a node, with the reason if it was pruned, and how deeply it was searched if that is special. */
export function fateInWords(run: Run, node: number, time: number): string {
  const status = run.status(node, time);
  const why = status === "pruned" ? run.whyPruned(node) : null;
  const special = run.game ? MARK_WORDS[MARKS[run.game.mark[node]]] : undefined;
  return [`${meaningsOf(run)[status] ?? status}${why ? `: ${why}` : ""}`, special].filter(Boolean).join(", ");
}

export const MARK_WORDS: Record<string, string | undefined> = {
  extended: "extended: searched a ply deeper than its siblings",
  quiescence: "beyond the horizon: quiescence search",
};

/** A node for those who cannot see it: where it is, its numbers, and what has become of it. */
export function nodeInWords(run: Run, node: number, time: number): string {
  const action = run.actionOf(node);
  const parent = run.parent[node];
  const place = parent === NONE ? "root" : `${action ? `by ${action} ` : ""}from ${run.label(parent)}`;
  return `${run.label(node)}, ${place}, level ${run.depthOf(node)}, ${values(run, node, time)}, ${fateInWords(run, node, time)}`;
}
