// A large picture of a run: its tree, its graph or its map, with pan and zoom.

import { useSignal, useSignalEffect } from "@preact/signals";
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { type VNode, render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Drawing, type Kind, drawingOf } from "./drawings.ts";
import { CanvasPainter, SvgPainter, svgFile } from "./painter.ts";
import type { Pane } from "./pane.tsx";
import { NONE } from "./run.ts";
import { allArrived, arrived } from "./svg_images.ts";
import type { View } from "./tree_picture.ts";

/** Larger pictures are drawn on a canvas: as SVG, a frame of 2,000 nodes takes about 30 ms in headless Chromium on two busy cores. */
const MOST_IN_SVG = 2000;

/** Draws one picture of a pane into an element of the page, and answers its mouse. */
export class Stage {
  readonly drawing: Drawing;
  view: View | null = null;
  private transform = zoomIdentity;
  private readonly zoom: ZoomBehavior<HTMLElement, unknown>;
  private readonly observer: ResizeObserver;
  private isDue = false;
  private hasMoved = false;
  private drawn: unknown = null;
  private isPrinted = false;

  constructor(
    readonly element: HTMLElement,
    readonly canvas: HTMLCanvasElement,
    /** Where the picture is as SVG. */
    private readonly sheet: HTMLElement,
    private readonly pane: Pane,
    readonly kind: Kind,
  ) {
    this.drawing = drawingOf(kind, pane);
    this.zoom = zoom<HTMLElement, unknown>()
      .scaleExtent([1e-5, 1e4])
      .on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => this.moved(event));
    select(element).call(this.zoom).on("dblclick.zoom", null);
    element.addEventListener("click", (event) => this.pick(event, false));
    element.addEventListener("dblclick", (event) => this.pick(event, true));
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(element);
  }

  close(): void {
    this.observer.disconnect();
    render(null, this.sheet);
  }

  private resized(): void {
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
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
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    if (!width || !height) return;
    this.view = this.drawing.fit(width, height);
    this.hasMoved = false;
    this.settle();
  }

  /** Tell the zoom where the view is. */
  private settle(): void {
    const { x, y, k } = this.view!;
    this.transform = zoomIdentity.translate(x, y).scale(k);
    select(this.element).property("__zoom", this.transform);
    this.request();
  }

  enlarge(factor: number): void {
    if (!this.view) return;
    const { width, height, k } = this.view;
    this.zoomAbout(width / 2, height / 2, k * factor);
    this.hasMoved = true;
    this.settle();
  }

  private zoomAbout(x: number, y: number, k: number): void {
    const view = this.view!;
    const [before, after] = [this.drawing.rise(view), this.drawing.rise(view, k)];
    this.view = { ...view, k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * after) / before };
  }

  private moved({ transform, sourceEvent }: D3ZoomEvent<HTMLElement, unknown>): void {
    if (!this.view) return;
    const ratio = transform.k / this.transform.k;
    if (Math.abs(ratio - 1) > 1e-9) {
      const at = sourceEvent as Partial<MouseEvent> | null;
      const frame = this.element.getBoundingClientRect();
      const [x, y] = [(at?.clientX ?? frame.left + frame.width / 2) - frame.left, (at?.clientY ?? frame.top + frame.height / 2) - frame.top];
      this.zoomAbout(x, y, transform.k);
    } else {
      const { x, y } = this.view;
      this.view = { ...this.view, x: x + transform.x - this.transform.x, y: y + transform.y - this.transform.y };
    }
    this.hasMoved = true;
    this.settle();
  }

  /** Another moment: where nodes have moved, everything is shown again, unless the reader has chosen a view. */
  changed(): void {
    const { layout } = this.drawing;
    const isSame = layout === this.drawn;
    this.drawn = layout;
    if (isSame || this.hasMoved) this.request();
    else this.fit();
  }

  private pick(event: MouseEvent, collapses: boolean): void {
    if (!this.view) return;
    const frame = this.element.getBoundingClientRect();
    const { run, time } = this.pane;
    const x = (event.clientX - frame.left - this.view.x) / this.view.k;
    const y = (event.clientY - frame.top - this.view.y) / this.drawing.rise(this.view);
    let node = this.drawing.nodeAt(x, y, this.view);
    if (node !== NONE && run.status(node, time.peek()) === "unborn") node = NONE;
    if (node !== NONE && this.pane.quiz.asksForNode) {
      this.pane.quiz.answer(node);
      return;
    }
    this.pane.selected.value = node;
    if (collapses && node !== NONE && this.kind === "tree") this.pane.collapse(node);
  }

  /** Move the view so that a node is in the middle. */
  centreOn(node: number): void {
    if (!this.view || node === NONE) return;
    const [x, y] = this.drawing.placeOf(node);
    const { width, height, k } = this.view;
    this.view = { ...this.view, x: width / 2 - x * k, y: height / 2 - y * this.drawing.rise(this.view) };
    this.hasMoved = true;
    this.settle();
  }

  /** Move the view only if a node is outside it. */
  reveal(node: number): void {
    if (!this.view || node === NONE) return;
    const [column, row] = this.drawing.placeOf(node);
    const [x, y] = [this.view.x + column * this.view.k, this.view.y + row * this.drawing.rise(this.view)];
    if (x < 0 || y < 0 || x > this.view.width || y > this.view.height) this.centreOn(node);
  }

  request(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  /** Draw as SVG if the picture is small or is printed, otherwise on the canvas. */
  draw(): void {
    if (!this.view) return;
    const isSvg = this.isPrinted || this.drawing.size <= MOST_IN_SVG;
    this.element.dataset.drawn = isSvg ? "svg" : "canvas";
    render(isSvg ? this.picture() : null, this.sheet);
    if (!isSvg) this.onCanvas();
  }

  /** Draw for paper, or for the screen again: at once, since the browser does not wait. */
  print(isPrinted: boolean): void {
    this.isPrinted = isPrinted;
    this.draw();
  }

  private picture(): VNode {
    const { width, height } = this.view!;
    const painter = new SvgPainter();
    this.drawing.paint(painter, this.view!);
    return painter.picture(width, height, this.pane.title, this.pane.palette.peek().ground);
  }

  /** The canvas, with what is on the screen, even where that is SVG. */
  onCanvas(): HTMLCanvasElement {
    const context = this.canvas.getContext("2d");
    if (context && this.view) {
      const scale = this.canvas.width / Math.max(1, this.view.width);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.fillStyle = this.pane.palette.peek().ground;
      context.fillRect(0, 0, this.view.width, this.view.height);
      this.drawing.paint(new CanvasPainter(context), this.view);
    }
    return this.canvas;
  }

  /** Another palette needs another ground of the map. */
  recolour(): void {
    this.drawing.recolour();
    this.request();
  }

  /** What is on the screen, as SVG. */
  svg(): string {
    return svgFile(this.picture());
  }

  /** What is on the screen, as a PNG. */
  async png(): Promise<Blob | null> {
    this.onCanvas();
    await allArrived();
    return new Promise((resolve) => this.onCanvas().toBlob(resolve, "image/png"));
  }
}

const WORDS: Record<Kind, string> = {
  map: "the map, with what was explored",
  tree: "the search tree",
  graph: "the graph of the states",
};

export function StageView({ pane, kind }: { pane: Pane; kind: Kind }) {
  const [element, canvas, sheet] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null), useRef<HTMLDivElement>(null)];
  const stage = useSignal<Stage | null>(null);
  useLayoutEffect(() => {
    const made = new Stage(element.current!, canvas.current!, sheet.current!, pane, kind);
    stage.value = made;
    pane.stages.set(kind, made);
    return () => {
      made.close();
      pane.stages.delete(kind);
    };
  }, [pane, kind]);
  useSignalEffect(() => {
    void [pane.time.value, pane.selected.value, pane.run.chunks.value];
    stage.value?.changed();
    if (pane.follows.value) stage.value?.centreOn(pane.run.currentAt(pane.time.value));
  });
  useSignalEffect(() => {
    void arrived.value;
    stage.value?.request();
  });
  useSignalEffect(() => {
    void pane.collapsed.value;
    stage.value?.fit();
  });
  useSignalEffect(() => {
    void pane.palette.value;
    stage.value?.recolour();
  });
  const words = `${WORDS[kind]} of ${pane.run.recording.algorithm}; the same as text is in the list "around this node"`;
  return (
    <div ref={element} class="stage">
      <canvas ref={canvas} role="img" aria-label={words} />
      <div ref={sheet} />
    </div>
  );
}
