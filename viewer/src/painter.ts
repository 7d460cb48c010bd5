// One way to draw: on a canvas, or as SVG, which is printed sharply and read aloud.

import { type VNode, cloneElement, h, render } from "preact";
import { elementOf, urlOf } from "./svg_images.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Look {
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: boolean;
  radius?: number;
}

export interface Lettering {
  size: number;
  colour: string;
  align?: "left" | "center" | "right";
  bold?: boolean;
  most?: number;
}

export interface Painter {
  rect(box: Box, look: Look): void;
  disc(x: number, y: number, radius: number, look: Look): void;
  /** Lines through points, each from its first point to its last. */
  lines(all: readonly (readonly [number, number][])[], stroke: string, width: number): void;
  /** Text whose vertical centre is at y; text wider than `most` is shortened. */
  text(x: number, y: number, words: string, lettering: Lettering): void;
  /** What is painted as one thing, which a screen reader calls by these words. key: distinct from those of other things. */
  group(key: number, words: () => string, paint: () => void): void;
  /** An image, enlarged with sharp edges or made smaller with smooth ones. */
  image(image: HTMLCanvasElement, box: Box): void;
  /** An SVG document, as large as fits into a box. */
  svg(svg: string, box: Box): void;
}

export const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/** The width of a letter of this font, as a part of its size. */
export const LETTER = 0.61;

export function shortened(words: string, most: number, size: number): string {
  const letters = Math.floor(most / (LETTER * size));
  if (words.length <= letters) return words;
  return letters < 2 ? "" : `${words.slice(0, letters - 1)}\u2026`;
}

export class CanvasPainter implements Painter {
  constructor(private readonly context: CanvasRenderingContext2D) {}

  rect({ x, y, width, height }: Box, look: Look): void {
    const { context } = this;
    context.beginPath();
    if (look.radius) context.roundRect(x, y, width, height, look.radius);
    else context.rect(x, y, width, height);
    this.finish(look);
  }

  disc(x: number, y: number, radius: number, look: Look): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.finish(look);
  }

  private finish({ fill, stroke, width, dash }: Look): void {
    const { context } = this;
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = width ?? 1;
      context.setLineDash(dash ? [3, 2] : []);
      context.stroke();
    }
  }

  lines(all: readonly (readonly [number, number][])[], stroke: string, width: number): void {
    const { context } = this;
    context.beginPath();
    for (const [[x, y], ...rest] of all) {
      context.moveTo(x, y);
      for (const [toX, toY] of rest) context.lineTo(toX, toY);
    }
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash([]);
    context.stroke();
  }

  text(x: number, y: number, words: string, { size, colour, align, bold, most }: Lettering): void {
    const { context } = this;
    context.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
    context.fillStyle = colour;
    context.textAlign = align ?? "center";
    context.textBaseline = "middle";
    context.fillText(most === undefined ? words : shortened(words, most, size), x, y);
  }

  group(_key: number, _words: () => string, paint: () => void): void {
    paint();
  }

  image(image: HTMLCanvasElement, { x, y, width, height }: Box): void {
    this.context.imageSmoothingEnabled = width < image.width;
    this.context.drawImage(image, x, y, width, height);
  }

  svg(svg: string, { x, y, width, height }: Box): void {
    const image = elementOf(svg);
    if (!image) return;
    const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
    const [wide, high] = [image.naturalWidth * scale, image.naturalHeight * scale];
    this.context.imageSmoothingEnabled = true;
    this.context.drawImage(image, x + (width - wide) / 2, y + (height - high) / 2, wide, high);
  }
}

const rounded = (number: number) => Math.round(number * 10) / 10;

function made(tag: string, attributes: Record<string, unknown>, ...inside: (VNode | string)[]): VNode {
  return h(tag, attributes, ...inside);
}

/** Makes elements that Preact renders: from picture to picture it changes only those that differ. */
export class SvgPainter implements Painter {
  private parts: VNode[] = [];

  private add(tag: string, attributes: Record<string, unknown>, ...inside: (VNode | string)[]): void {
    this.parts.push(made(tag, attributes, ...inside));
  }

  rect({ x, y, width, height }: Box, look: Look): void {
    const size = { width: rounded(width), height: rounded(height), rx: look.radius && rounded(look.radius) };
    this.add("rect", { x: rounded(x), y: rounded(y), ...size, ...attributes(look) });
  }

  disc(x: number, y: number, radius: number, look: Look): void {
    this.add("circle", { cx: rounded(x), cy: rounded(y), r: rounded(radius), ...attributes(look) });
  }

  lines(all: readonly (readonly [number, number][])[], stroke: string, width: number): void {
    const path = all.map((points) => `M${points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join("L")}`).join("");
    if (path) this.add("path", { d: path, fill: "none", stroke, "stroke-width": rounded(width) });
  }

  text(x: number, y: number, words: string, { size, colour, align, bold, most }: Lettering): void {
    const anchor = { left: "start", center: "middle", right: "end" }[align ?? "center"];
    const look = { "font-size": rounded(size), "font-weight": bold ? "bold" : undefined, fill: colour };
    const place = { x: rounded(x), y: rounded(y), "dominant-baseline": "central", "text-anchor": anchor };
    this.add("text", { ...place, ...look }, most === undefined ? words : shortened(words, most, size));
  }

  group(key: number, words: () => string, paint: () => void): void {
    const outer = this.parts;
    this.parts = [];
    paint();
    const [inside, name] = [this.parts, { key, role: "graphics-symbol img", "aria-label": words() }];
    this.parts = outer;
    if (inside.length === 1) outer.push(cloneElement(inside[0], name));
    else this.add("g", name, ...inside);
  }

  image(image: HTMLCanvasElement, { x, y, width, height }: Box): void {
    const place = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
    const style = { imageRendering: width < image.width ? "auto" : "pixelated" };
    this.add("image", { href: image.toDataURL(), ...place, preserveAspectRatio: "none", style });
  }

  svg(svg: string, { x, y, width, height }: Box): void {
    this.add("image", { href: urlOf(svg), x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) });
  }

  /** The picture. title: read first to those who hear it. */
  picture(width: number, height: number, title: string, background: string): VNode {
    const size = { viewBox: `0 0 ${width} ${height}`, width, height };
    return made(
      "svg",
      { ...size, role: "graphics-document document", "aria-label": title, "font-family": FONT },
      made("rect", { width, height, fill: background }),
      ...this.parts,
    );
  }
}

/** A picture as a file. */
export function svgFile(picture: VNode): string {
  const element = document.createElement("div");
  render(picture, element);
  return new XMLSerializer().serializeToString(element.firstElementChild!);
}

function attributes({ fill, stroke, width, dash }: Look) {
  const line = stroke && { stroke, "stroke-width": rounded(width ?? 1), "stroke-dasharray": dash ? "3 2" : undefined };
  return { fill: fill ?? "none", ...line };
}
