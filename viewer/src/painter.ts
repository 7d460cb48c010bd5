// One way to draw, on a canvas for the screen or as SVG for print.

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
  /** What is painted as one thing, which a screen reader calls by these words. */
  group(words: string, paint: () => void): void;
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

  group(_words: string, paint: () => void): void {
    paint();
  }
}

const escaped = (words: string) =>
  words.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter] ?? letter);
const rounded = (number: number) => String(Math.round(number * 10) / 10);

export class SvgPainter implements Painter {
  private readonly parts: string[] = [];

  rect({ x, y, width, height }: Box, look: Look): void {
    const corner = look.radius ? ` rx="${rounded(look.radius)}"` : "";
    const size = `width="${rounded(width)}" height="${rounded(height)}"`;
    this.parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" ${size}${corner}${attributes(look)}/>`);
  }

  disc(x: number, y: number, radius: number, look: Look): void {
    this.parts.push(`<circle cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(radius)}"${attributes(look)}/>`);
  }

  lines(all: readonly (readonly [number, number][])[], stroke: string, width: number): void {
    const path = all.map((points) => `M${points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join("L")}`).join("");
    if (path) this.parts.push(`<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${rounded(width)}"/>`);
  }

  text(x: number, y: number, words: string, { size, colour, align, bold, most }: Lettering): void {
    const anchor = { left: "start", center: "middle", right: "end" }[align ?? "center"];
    const shown = most === undefined ? words : shortened(words, most, size);
    const weight = bold ? ' font-weight="bold"' : "";
    const place = `x="${rounded(x)}" y="${rounded(y)}" dominant-baseline="central" text-anchor="${anchor}"`;
    this.parts.push(`<text ${place} font-size="${rounded(size)}"${weight} fill="${colour}">${escaped(shown)}</text>`);
  }

  group(words: string, paint: () => void): void {
    this.parts.push(`<g role="graphics-symbol img" aria-label="${escaped(words)}">`);
    paint();
    this.parts.push("</g>");
  }

  /** The drawing, with a title for those who hear it read. */
  picture(width: number, height: number, title: string, background: string): string {
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
      ` role="graphics-document document" aria-label="${escaped(title)}" font-family="${escaped(FONT)}"><title>${escaped(title)}</title>`,
      `<rect width="${width}" height="${height}" fill="${background}"/>`,
      ...this.parts,
      "</svg>",
    ].join("\n");
  }
}

function attributes({ fill, stroke, width, dash }: Look): string {
  const line = stroke ? ` stroke="${stroke}" stroke-width="${rounded(width ?? 1)}"${dash ? ' stroke-dasharray="3 2"' : ""}` : "";
  return ` fill="${fill ?? "none"}"${line}`;
}
