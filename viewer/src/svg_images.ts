// SVG documents that Python made of states, as images: a browser runs no script in an image, and loads nothing for it.

import { signal } from "@preact/signals";

/** More images than a screen shows: those used last are kept. */
const MOST = 5000;
const WIDTH = 400;
/** The begin of a document, up to the name of its root; and the attributes of that. */
const ROOT = /^((?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>)*<(?:[\w.-]+:)?svg)\b([^>]*)/;

interface Known {
  url: string;
  element: HTMLImageElement | null;
}

const images = new Map<string, Known>();
const awaited = new Set<Promise<void>>();
/** The number of images that have become ready: what was drawn without them is drawn again. */
export const arrived = signal(0);

function imageOf(svg: string): Known {
  const image = images.get(svg) ?? { url: `data:image/svg+xml,${encodeURIComponent(sized(svg))}`, element: null };
  images.delete(svg);
  images.set(svg, image);
  if (images.size > MOST) images.delete(images.keys().next().value!);
  return image;
}

/** The document with a width and a height in pixels, without which some browsers do not draw it on a canvas. */
function sized(svg: string): string {
  const [, head, attributes] = ROOT.exec(svg) ?? [];
  const box = /\sviewBox\s*=\s*["']([^"']+)/.exec(attributes ?? "");
  if (!head || !box || /\s(?:width|height)\s*=/.test(attributes)) return svg;
  const [, , width, height] = box[1].trim().split(/[\s,]+/).map(Number);
  return `${head} width="${WIDTH}" height="${(WIDTH * height) / width}"${svg.slice(head.length)}`;
}

/** The source of an image. */
export function urlOf(svg: string): string {
  return imageOf(svg).url;
}

/** The image for a canvas; null until it is ready. */
export function elementOf(svg: string): HTMLImageElement | null {
  const image = imageOf(svg);
  if (!image.element) {
    const element = (image.element = new Image());
    const ready = new Promise<void>((resolve) => (element.onload = element.onerror = () => resolve()));
    awaited.add(ready);
    void ready.then(() => {
      awaited.delete(ready);
      arrived.value++;
    });
    element.src = image.url;
  }
  return image.element.complete && image.element.naturalWidth > 0 ? image.element : null;
}

/** Waits for the images that were asked for. */
export async function allArrived(): Promise<void> {
  await Promise.all(awaited);
}
