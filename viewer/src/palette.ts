// The colours of what happens to nodes: distinct for colour-blind readers (Okabe and Ito 2008), on light and dark ground.

import { MARKS, type Run, type Status } from "./run.ts";

export interface Palette {
  ground: string;
  ink: string;
  faint: string;
  edge: string;
  cell: string;
  empty: string;
  solution: string;
  current: string;
  selected: string;
  fill: Record<Status, string>;
  line: Record<Status, string>;
  /** Of nodes of a game tree that are extended or beyond the horizon. */
  marked: Record<string, { fill: string; line: string }>;
}

const LINE: Record<Status, string> = {
  unborn: "#888888",
  open: "#e69f00",
  expanded: "#0072b2",
  duplicate: "#8a8f98",
  replaced: "#4a5360",
  pruned: "#d55e00",
  goal: "#009e73",
};

export const LIGHT: Palette = {
  ground: "#ffffff",
  ink: "#15191f",
  faint: "#5d6673",
  edge: "#b4bbc6",
  cell: "#ffffff",
  empty: "#e3e7ec",
  solution: "#009e73",
  current: "#15191f",
  selected: "#cc79a7",
  fill: {
    unborn: "#ffffff",
    open: "#fdf0cf",
    expanded: "#d3e8f6",
    duplicate: "#eff1f4",
    replaced: "#c3c9d1",
    pruned: "#fbe2d3",
    goal: "#c9efe2",
  },
  line: LINE,
  marked: { extended: { fill: "#f3e2ee", line: "#aa4499" }, quiescence: { fill: "#e3f5f7", line: "#2a9db0" } },
};

export const DARK: Palette = {
  ground: "#14181e",
  ink: "#eef1f5",
  faint: "#9aa4b2",
  edge: "#4a5360",
  cell: "#232a33",
  empty: "#14181e",
  solution: "#1fd1a0",
  current: "#ffffff",
  selected: "#e79cc4",
  fill: {
    unborn: "#14181e",
    open: "#4f3b0b",
    expanded: "#123a55",
    duplicate: "#272d36",
    replaced: "#4a5360",
    pruned: "#522914",
    goal: "#0d4a39",
  },
  line: { ...LINE, replaced: "#b4bbc6", expanded: "#4aa8de", goal: "#1fd1a0", pruned: "#f0803a" },
  marked: { extended: { fill: "#4a2140", line: "#dd88c4" }, quiescence: { fill: "#10434c", line: "#5fd0e0" } },
};

/** How the box of a node looks: by what has become of it and, in games, by how deeply it is searched. */
export function lookOf(run: Run, node: number, time: number, palette: Palette): { fill: string; line: string; dash: boolean } {
  const status = run.status(node, time);
  const dash = status === "pruned" || status === "duplicate";
  const marked = run.game && status === "expanded" ? palette.marked[MARKS[run.game.mark[node]]] : undefined;
  return { fill: palette.fill[status], line: palette.line[status], ...marked, dash };
}

/** What the colours mean, by status. */
export function meaningsOf(run: Run): Partial<Record<Status, string>> {
  return run.game ? OF_GAMES : OF_SEARCHES;
}

const OF_GAMES: Partial<Record<Status, string>> = {
  open: "being searched",
  expanded: "value known",
  goal: "end of the best line",
  pruned: "pruned, never looked at",
};

const OF_SEARCHES: Partial<Record<Status, string>> = {
  expanded: "expanded",
  open: "on the open list",
  goal: "goal",
  duplicate: "duplicate",
  replaced: "replaced by a cheaper path",
  pruned: "pruned",
};
