// The large picture of a run: its tree or its map, with pan and zoom.

import { useSignal, useSignalEffect } from "@preact/signals";
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { useLayoutEffect, useRef } from "preact/hooks";
import { layoutOf, nodeAt } from "./layout.ts";
import { GridImage, boundsOf, fittedMap, paintMap } from "./map_picture.ts";
import { CanvasPainter, SvgPainter } from "./painter.ts";
import type { Pane } from "./pane.tsx";
import { NONE } from "./run.ts";
import { type View, fitted, paintTree, rowHeight } from "./tree_picture.ts";

/** Draws one pane into a canvas of the page, and answers its mouse. */
export class Stage {
  private view: View | null = null;
  private transform = zoomIdentity;
  private readonly zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  private grid: GridImage | null = null;
  private isDue = false;
  private hasMoved = false;
  private laidOut: { key: string; layout: ReturnType<typeof layoutOf> } | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly pane: Pane,
  ) {
    this.zoom = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1e-5, 1e4])
      .on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => this.moved(event));
    select(canvas).call(this.zoom).on("dblclick.zoom", null);
    canvas.addEventListener("click", (event) => this.pick(event, false));
    canvas.addEventListener("dblclick", (event) => this.pick(event, true));
    new ResizeObserver(() => this.resized()).observe(canvas);
  }

  get isMap(): boolean {
    return this.pane.shows.peek() === "map";
  }

  private resized(): void {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !height) return;
    const scale = window.devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.view && this.hasMoved) {
      this.view = { ...this.view, width, height };
      this.request();
    } else this.fit();
  }

  /** Show everything. */
  fit(): void {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !height) return;
    const { run } = this.pane;
    this.view = this.isMap ? fittedMap(boundsOf(run), width, height) : fitted(run, this.layout(), width, height);
    this.hasMoved = false;
    this.settle();
  }

  /** Tell the zoom where the view is. */
  private settle(): void {
    const { x, y, k } = this.view!;
    this.transform = zoomIdentity.translate(x, y).scale(k);
    select(this.canvas).property("__zoom", this.transform);
    this.request();
  }

  enlarge(factor: number): void {
    const { width, height } = this.view!;
    this.zoomAbout(width / 2, height / 2, this.view!.k * factor);
    this.hasMoved = true;
    this.settle();
  }

  private zoomAbout(x: number, y: number, k: number): void {
    const view = this.view!;
    const before = this.isMap ? view.k : rowHeight(this.pane.run, view);
    const after = this.isMap ? k : rowHeight(this.pane.run, view, k);
    this.view = { ...view, k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * after) / before };
  }

  private moved({ transform, sourceEvent }: D3ZoomEvent<HTMLCanvasElement, unknown>): void {
    if (!this.view) return;
    const ratio = transform.k / this.transform.k;
    if (Math.abs(ratio - 1) > 1e-9) {
      const at = sourceEvent as Partial<MouseEvent> | null;
      const frame = this.canvas.getBoundingClientRect();
      const [x, y] = [(at?.clientX ?? frame.left + frame.width / 2) - frame.left, (at?.clientY ?? frame.top + frame.height / 2) - frame.top];
      this.zoomAbout(x, y, transform.k);
    } else {
      const { x, y } = this.view;
      this.view = { ...this.view, x: x + transform.x - this.transform.x, y: y + transform.y - this.transform.y };
    }
    this.hasMoved = true;
    this.settle();
  }

  private layout() {
    const { run } = this.pane;
    const round = run.roundAt(this.pane.time.peek());
    const collapsed = this.pane.collapsed.peek();
    const key = `${round}:${[...collapsed].join()}`;
    if (this.laidOut?.key !== key) {
      const [first, end] = [run.firstNodes[round], run.firstNodes[round + 1] ?? run.nodes];
      this.laidOut = { key, layout: layoutOf(run.parent, first, end, collapsed) };
    }
    return this.laidOut.layout;
  }

  /** A new layout, or another picture: show everything again. */
  changed(): void {
    const before = this.laidOut?.layout;
    if (this.isMap || this.layout() === before) this.request();
    else if (this.hasMoved) this.request();
    else this.fit();
  }

  private pick(event: MouseEvent, collapses: boolean): void {
    if (!this.view || this.isMap) return;
    const frame = this.canvas.getBoundingClientRect();
    const { run, time, collapsed, selected } = this.pane;
    const row = rowHeight(run, this.view);
    const column = (event.clientX - frame.left - this.view.x) / this.view.k;
    const depth = Math.round((event.clientY - frame.top - this.view.y) / row);
    let node = depth < 0 ? NONE : nodeAt(this.layout(), column, depth);
    if (node !== NONE && run.status(node, time.peek()) === "unborn") node = NONE;
    if (node !== NONE && this.pane.quiz.isOpen && !run.game) {
      this.pane.quiz.answer(node);
      return;
    }
    selected.value = node;
    if (!collapses || node === NONE) return;
    const changed = new Set(collapsed.peek());
    if (!changed.delete(node)) changed.add(node);
    collapsed.value = changed;
  }

  /** Move the view so that a node is in the middle. */
  centreOn(node: number): void {
    if (!this.view || node === NONE) return;
    const { run } = this.pane;
    const { width, height, k } = this.view;
    if (this.isMap) {
      const state = run.state[node];
      this.view = { ...this.view, x: width / 2 - run.x![state] * k, y: height / 2 - run.y![state] * k };
    } else {
      const layout = this.layout();
      this.view = { ...this.view, x: width / 2 - layout.x[node] * k, y: height / 2 - layout.depth[node] * rowHeight(run, this.view) };
    }
    this.hasMoved = true;
    this.settle();
  }

  request(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.view) return;
    const scale = this.canvas.width / Math.max(1, this.canvas.clientWidth);
    const palette = this.pane.palette.peek();
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.view.width, this.view.height);
    if (this.isMap && this.pane.run.recording.picture.blocked?.length) this.drawGrid(context);
    this.paint(new CanvasPainter(context));
  }

  private drawGrid(context: CanvasRenderingContext2D): void {
    const { run, palette, time } = this.pane;
    const { x, y, k } = this.view!;
    this.grid ??= new GridImage(run, palette.peek());
    const image = this.grid.drawn(time.peek(), palette.peek());
    context.imageSmoothingEnabled = k < 1;
    context.drawImage(image, x - 0.5 * k, y - 0.5 * k, image.width * k, image.height * k);
  }

  /** Another palette needs another ground of the map. */
  recolour(): void {
    this.grid = null;
    this.request();
  }

  private paint(painter: CanvasPainter | SvgPainter): void {
    const { run, time, selected, collapsed, palette } = this.pane;
    const common = { run, time: time.peek(), selected: selected.peek(), palette: palette.peek() };
    if (this.isMap) paintMap(painter, run, common.time, this.view!, common.palette, common.selected);
    else paintTree(painter, { ...common, layout: this.layout(), view: this.view!, collapsed: collapsed.peek() });
  }

  /** What is on the screen, as SVG. */
  svg(): string {
    const painter = new SvgPainter();
    this.paint(painter);
    return painter.picture(this.view!.width, this.view!.height, this.pane.title, this.pane.palette.peek().ground);
  }

  /** What is on the screen, as a PNG. */
  png(): Promise<Blob | null> {
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }
}

export function StageView({ pane }: { pane: Pane }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useSignal<Stage | null>(null);
  useLayoutEffect(() => {
    stage.value = pane.stage = new Stage(canvas.current!, pane);
  }, [pane]);
  useSignalEffect(() => {
    void [pane.time.value, pane.selected.value];
    stage.value?.changed();
    if (pane.follows.value) stage.value?.centreOn(pane.run.currentAt(pane.time.value));
  });
  useSignalEffect(() => {
    void [pane.collapsed.value, pane.shows.value];
    stage.value?.fit();
  });
  useSignalEffect(() => {
    void pane.palette.value;
    stage.value?.recolour();
  });
  const { shows, run } = pane;
  const words = shows.value === "map" ? "the map, with what was explored" : "the search tree";
  return <canvas ref={canvas} class="stage" role="img" aria-label={`${words} of ${run.recording.algorithm}`} />;
}
