// The start of a page written by bestfirst.viewer.page: unpacks the recordings and shows them.

import { show } from "./app.tsx";
import { bytesOf } from "./format.ts";
import "./viewer.css";

async function unpacked(written: string): Promise<unknown[]> {
  const stream = new Blob([bytesOf(written)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function start(): Promise<void> {
  const element = document.getElementById("bestfirst-viewer")!;
  const data = document.getElementById("bestfirst-recordings")!;
  try {
    show(element, await unpacked(data.textContent!));
  } catch (error) {
    element.textContent = `The recordings in this page cannot be read: ${error}`;
    element.dataset.state = "failed";
  }
}

Object.assign(globalThis, { bestfirstViewer: { show } });
void start();
