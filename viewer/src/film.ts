// A run as an animated GIF, for slides: the pictures of a pane with the sentence for each step below.

import { GIFEncoder, applyPalette, quantize } from "gifenc";
import { explain } from "./explain.ts";
import { shortened } from "./painter.ts";
import type { Pane } from "./pane.tsx";
import { allArrived } from "./svg_images.ts";

const MOST_FRAMES = 120;
const WIDEST = 900;
const LINE = 34;
const SIZE = 15;
const SECONDS = 15;
const SLOWEST = 0.8;
const LAST = 2500;

/** The steps that a film shows: all, or evenly many of them. */
export function stepsOf(end: number): number[] {
  const frames = Math.min(end, MOST_FRAMES);
  return frames ? Array.from({ length: frames + 1 }, (_, frame) => Math.round((frame * end) / frames)) : [0];
}

/**
 * Makes the film of a pane; null if it is cancelled. The player goes through the steps meanwhile, and back afterwards.
 *
 * told: is given the part that is done; it returns whether to go on.
 */
export async function filmOf(pane: Pane, told: (part: number) => boolean): Promise<Uint8Array<ArrayBuffer> | null> {
  const { player } = pane;
  const before = player.step.value;
  player.isPlaying.value = false;
  const steps = stepsOf(player.end.value);
  const delay = Math.min(SLOWEST, SECONDS / steps.length) * 1000;
  const film = GIFEncoder();
  const scene = new Frame(pane);
  try {
    player.go(steps.at(-1)!); // the colours of the end and of the middle are the colours of the film
    const last = await scene.pixels();
    player.go(steps[steps.length >> 1]);
    const palette = quantize(both(last, await scene.pixels()), 256);
    for (const [frame, step] of steps.entries()) {
      player.go(step);
      const data = await scene.pixels();
      const isLast = frame === steps.length - 1;
      film.writeFrame(applyPalette(data, palette), scene.width, scene.height, { delay: isLast ? LAST : delay, ...(frame ? {} : { palette }) });
      if (!told((frame + 1) / steps.length)) return null;
      await new Promise((resolve) => setTimeout(resolve)); // the page stays alive
    }
  } finally {
    player.go(before);
  }
  film.finish();
  return film.bytes() as Uint8Array<ArrayBuffer>;
}

function both(one: Uint8ClampedArray, other: Uint8ClampedArray): Uint8ClampedArray {
  const all = new Uint8ClampedArray(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** What a pane shows, on a canvas of its own. */
class Frame {
  readonly width: number;
  readonly height: number;
  private readonly canvas = document.createElement("canvas");
  private readonly scale: number;

  constructor(private readonly pane: Pane) {
    const stages = [...pane.stages.values()];
    const width = stages.reduce((sum, { element }) => sum + element.clientWidth, 0);
    this.scale = Math.min(1, WIDEST / width);
    this.width = Math.round(width * this.scale);
    this.height = Math.round(stages[0].element.clientHeight * this.scale) + LINE;
    [this.canvas.width, this.canvas.height] = [this.width, this.height];
  }

  async pixels(): Promise<Uint8ClampedArray> {
    if (this.pane.run.recording.picture.aspect) {
      this.pane.stages.forEach((stage) => stage.onCanvas()); // asks for the images
      await allArrived();
    }
    const { pane, width, height, scale } = this;
    const context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    const palette = pane.palette.peek();
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, width, height);
    let x = 0;
    for (const stage of pane.stages.values()) {
      const [wide, high] = [stage.element.clientWidth * scale, stage.element.clientHeight * scale];
      context.drawImage(stage.onCanvas(), x, 0, wide, high);
      x += wide;
    }
    context.fillStyle = palette.ink;
    context.font = `${SIZE}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.fillText(shortened(explain(pane.run, pane.time.peek()), (width - 20) * 1.15, SIZE), 10, height - LINE / 2);
    return context.getImageData(0, 0, width, height).data;
  }
}
