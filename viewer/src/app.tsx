// The whole viewer: one run or two side by side, and the time line below.

import { type Signal, batch, computed, signal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Chunk, type Recording, checked } from "./format.ts";
import { DARK, LIGHT } from "./palette.ts";
import { Pane, PaneView } from "./pane.tsx";
import { Player } from "./player.ts";
import { NONE, Run } from "./run.ts";
import type { Stage } from "./stage.tsx";
import { Timeline } from "./timeline.tsx";

const MOST_FOUND = 50;

/** Whether the page, the notebook program around it, or else the reader's system is dark. */
function isPageDark(): boolean {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight !== undefined) return dataset.jpThemeLight === "false"; // JupyterLab
  if (dataset.vscodeThemeKind !== undefined) return classList.contains("vscode-dark"); // VS Code
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

export interface Showing {
  /** Where keys are listened to: in a page everywhere, in a notebook in the viewer only. */
  keys?: HTMLElement | Document;
  /** Whether the search still runs, and more of it will come. */
  isRunning?: boolean;
}

export class App {
  readonly isRunning: Signal<boolean>;
  readonly isDark: Signal<boolean> = signal(isPageDark());
  readonly isLarge = signal(false);
  readonly helps = signal(false);
  readonly words = signal("");
  readonly isPrinted = signal(false);
  readonly palette = computed(() => (this.isDark.value && !this.isPrinted.value ? DARK : LIGHT));
  readonly player: Player;
  readonly panes: Pane[];

  constructor(recordings: readonly Recording[], isRunning: boolean) {
    const runs = recordings.map((recording) => new Run(recording));
    this.isRunning = signal(isRunning);
    this.player = new Player(runs);
    this.panes = runs.map((run, number) => new Pane(run, this.player, this.palette, number));
    this.player.go(this.player.end.value);
  }

  /** Adds what the search did next. Who looks at its end goes on to the new one; who looks back stays there. */
  extend(chunk: Chunk, dropped: number, isRunning: boolean): void {
    const { player } = this;
    const { run } = this.panes[0];
    const isAtEnd = player.step.value >= player.end.value;
    batch(() => {
      run.recording.dropped = dropped;
      run.extend(chunk);
      this.isRunning.value = isRunning;
      if (isAtEnd) player.go(player.end.value);
    });
  }

  private readonly everyStage = (act: (stage: Stage) => void) => this.panes.forEach((pane) => pane.stages.forEach(act));

  /** Draw for paper, or for the screen again. */
  print(isPrinted: boolean): void {
    this.isPrinted.value = isPrinted;
    this.everyStage((stage) => stage.print(isPrinted));
  }

  /** What a key does; false if nothing. */
  pressed(key: string, isShifted: boolean): boolean {
    const { player, panes } = this;
    if (isShifted && key.startsWith("Arrow")) {
      panes.forEach((pane) => pane.walk(key));
      return true;
    }
    const tenth = Math.max(1, Math.round(player.end.value / 10));
    const actions: Record<string, () => unknown> = {
      " ": () => player.toggle(),
      ArrowRight: () => player.stepBy(1),
      ArrowLeft: () => player.stepBy(-1),
      PageDown: () => player.move(tenth),
      PageUp: () => player.move(-tenth),
      Home: () => player.move(-player.end.value),
      End: () => player.move(player.end.value),
      g: () => player.next("goal"),
      b: () => player.next("bound", "round"),
      r: () => player.next("reopen"),
      p: () => player.next("prune"),
      f: () => panes.forEach((pane) => (pane.follows.value = !pane.follows.value)),
      "+": () => this.everyStage((stage) => stage.enlarge(1.3)),
      "-": () => this.everyStage((stage) => stage.enlarge(1 / 1.3)),
      "0": () => this.everyStage((stage) => stage.fit()),
      t: () => panes.forEach((pane) => pane.toggle("tree")),
      s: () => panes.forEach((pane) => pane.toggle("graph")),
      m: () => panes.forEach((pane) => pane.toggle("map")),
      c: () => panes.forEach((pane) => pane.selected.value !== NONE && pane.collapse(pane.selected.value)),
      e: () => void panes[0].film(),
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
  ["shift + arrows", "select the parent, a child, a sibling"],
  ["double click, c", "collapse the subtree"],
  ["t s m", "tree, graph of states, map"],
  ["e", "save the run as an animated GIF"],
];

function AppView({ app, keys }: { app: App; keys: HTMLElement | Document }) {
  const frame = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const pressed = (given: Event) => {
      const event = given as KeyboardEvent;
      const { target } = event;
      const isWriting = (target instanceof HTMLInputElement && target.type !== "range") || target instanceof HTMLTextAreaElement;
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting || target instanceof HTMLSelectElement) return;
      if (event.key === " " && target instanceof HTMLButtonElement) return;
      if (event.key === "/") search.current?.focus();
      else if (!app.pressed(event.key, event.shiftKey)) return;
      event.preventDefault();
      if (keys !== document) event.stopPropagation();
    };
    keys.addEventListener("keydown", pressed);
    return () => keys.removeEventListener("keydown", pressed);
  }, [app, keys]);
  useLayoutEffect(() => {
    const [before, after] = [() => app.print(true), () => app.print(false)];
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, [app]);
  const classes = `bestfirst ${app.palette.value === DARK ? "dark" : "light"} ${app.isLarge.value ? "large" : ""}`;
  const { recording } = app.panes[0].run;
  return (
    <main ref={frame} class={classes} tabIndex={-1} data-lm-suppress-shortcuts="true">
      <header class="top">
        <h1>{recording.problem} <span>{recording.instance}</span></h1>
        {app.isRunning.value && <span class="running" role="status">running</span>}
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
    for (const stage of pane.stages.values()) stage.centreOn(node);
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
          {!found.length && <li>no state contains this text</li>}
        </ul>
      )}
    </form>
  );
}

/** Shows recordings in an element: one, or two of the same instance side by side. null ends what is shown there. */
export function show(element: HTMLElement, given: readonly unknown[] | null, { keys = document, isRunning = false }: Showing = {}): App | null {
  render(null, element);
  element.textContent = "";
  if (!given) return null;
  try {
    const app = new App(given.map(checked), isRunning);
    render(<AppView app={app} keys={keys} />, element);
    Object.assign(element, { viewer: app });
    element.dataset.state = "ready";
    return app;
  } catch (error) {
    element.textContent = error instanceof Error ? error.message : String(error);
    element.dataset.state = "failed";
    return null;
  }
}
