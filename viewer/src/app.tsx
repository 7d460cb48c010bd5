// The whole viewer: one run or two side by side, and the time line below.

import { type Signal, computed, signal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Recording, checked } from "./format.ts";
import { DARK, LIGHT } from "./palette.ts";
import { Pane, PaneView } from "./pane.tsx";
import { Player } from "./player.ts";
import { NONE, Run } from "./run.ts";
import { Timeline } from "./timeline.tsx";

const MOST_FOUND = 50;

class App {
  readonly isDark: Signal<boolean> = signal(window.matchMedia("(prefers-color-scheme: dark)").matches);
  readonly isLarge = signal(false);
  readonly helps = signal(false);
  readonly words = signal("");
  readonly palette = computed(() => (this.isDark.value ? DARK : LIGHT));
  readonly player: Player;
  readonly panes: Pane[];

  constructor(recordings: readonly Recording[]) {
    const runs = recordings.map((recording) => new Run(recording));
    this.player = new Player(runs);
    this.panes = runs.map((run) => new Pane(run, this.player, this.palette));
    this.player.go(this.player.end.value);
  }

  /** What a key does; false if nothing. */
  pressed(key: string): boolean {
    const { player, panes } = this;
    const tenth = Math.max(1, Math.round(player.end.value / 10));
    const actions: Record<string, () => unknown> = {
      " ": () => player.toggle(),
      ArrowRight: () => player.move(1),
      ArrowLeft: () => player.move(-1),
      PageDown: () => player.move(tenth),
      PageUp: () => player.move(-tenth),
      Home: () => player.move(-player.end.value),
      End: () => player.move(player.end.value),
      g: () => player.next("goal"),
      b: () => player.next("bound", "round"),
      r: () => player.next("reopen"),
      p: () => player.next("prune"),
      f: () => panes.forEach((pane) => (pane.follows.value = !pane.follows.value)),
      "+": () => panes.forEach((pane) => pane.stage?.enlarge(1.3)),
      "-": () => panes.forEach((pane) => pane.stage?.enlarge(1 / 1.3)),
      "0": () => panes.forEach((pane) => pane.stage?.fit()),
      q: () => panes[0].quiz.toggle(),
      d: () => (this.isDark.value = !this.isDark.value),
      l: () => (this.isLarge.value = !this.isLarge.value),
      "?": () => (this.helps.value = !this.helps.value),
      Escape: () => {
        this.helps.value = false;
        panes.forEach((pane) => (pane.selected.value = NONE));
      },
    };
    actions[key]?.();
    return key in actions;
  }
}

const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["\u2190 \u2192", "a step back or forward"],
  ["Page Up, Page Down", "a tenth back or forward"],
  ["Home, End", "to the start or the end"],
  ["g b r p", "the next goal, bound, reopening, cut"],
  ["+ \u2212 0", "larger, smaller, everything"],
  ["f", "follow the current node"],
  ["/", "search for a state"],
  ["q", "a quiz: what happens next?"],
  ["d, l", "dark colours, large type"],
  ["double click", "collapse a subtree"],
];

function AppView({ app }: { app: App }) {
  const frame = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting = (target instanceof HTMLInputElement && target.type !== "range") || target instanceof HTMLTextAreaElement;
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting || target instanceof HTMLSelectElement) return;
      if (event.key === " " && target instanceof HTMLButtonElement) return;
      if (event.key === "/") search.current?.focus();
      else if (!app.pressed(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [app]);
  const classes = `bestfirst ${app.isDark.value ? "dark" : "light"} ${app.isLarge.value ? "large" : ""}`;
  const { recording } = app.panes[0].run;
  return (
    <main ref={frame} class={classes}>
      <header class="top">
        <h1>{recording.problem} <span>{recording.instance}</span></h1>
        <SearchBox app={app} box={search} />
        <button type="button" aria-pressed={app.isLarge.value} onClick={() => (app.isLarge.value = !app.isLarge.value)} title="Large type, for a projector (l)">A+</button>
        <button type="button" aria-pressed={app.isDark.value} onClick={() => (app.isDark.value = !app.isDark.value)} title="Dark colours (d)">{"\u25d1"}</button>
        <button type="button" aria-pressed={app.helps.value} onClick={() => (app.helps.value = !app.helps.value)} title="Keys (?)">?</button>
      </header>
      {app.helps.value && (
        <dl class="keys">{KEYS.map(([key, meaning]) => [<dt key={key}>{key}</dt>, <dd key={meaning}>{meaning}</dd>])}</dl>
      )}
      <div class="panes">{app.panes.map((pane) => <PaneView key={pane.title} pane={pane} />)}</div>
      <Timeline player={app.player} panes={app.panes} />
    </main>
  );
}

function SearchBox({ app, box }: { app: App; box: { current: HTMLInputElement | null } }) {
  const [pane] = app.panes;
  const found = app.words.value ? pane.run.find(app.words.value, MOST_FOUND) : [];
  const go = (node: number) => {
    app.player.isPlaying.value = false;
    if (pane.run.status(node, pane.time.value) === "unborn") app.player.go(app.player.stepAfter(pane.run, pane.run.born[node]));
    pane.selected.value = node;
    pane.stage?.centreOn(node);
  };
  return (
    <form class="search" onSubmit={(event) => { event.preventDefault(); if (found.length) go(found[0]); }}>
      <input
        ref={box} type="search" placeholder="search for a state (/)" aria-label="search for a state" value={app.words.value}
        onInput={(event) => (app.words.value = event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && (app.words.value = "")}
      />
      {app.words.value && (
        <ul>
          {found.map((node) => (
            <li key={node}>
              <button type="button" onClick={() => { go(node); app.words.value = ""; }}>{pane.run.name(node)} (event {pane.run.born[node] + 1})</button>
            </li>
          ))}
          {!found.length && <li>no state with these words</li>}
        </ul>
      )}
    </form>
  );
}

/** Shows recordings in an element: one, or two of the same instance side by side. */
export function show(element: HTMLElement, given: readonly unknown[]): void {
  render(null, element);
  element.textContent = "";
  try {
    const app = new App(given.map(checked));
    render(<AppView app={app} />, element);
    Object.assign(element, { viewer: app });
    element.dataset.state = "ready";
  } catch (error) {
    element.textContent = error instanceof Error ? error.message : String(error);
    element.dataset.state = "failed";
  }
}
