// The start of a page written by bestfirst.viewer.page: unpacks the recordings and shows them. In a notebook, a widget.

import { show } from "./app.tsx";
import { bytesOf, unpacked } from "./format.ts";
import "./viewer.css";
import { widget } from "./widget.ts";

async function start(element: HTMLElement, data: HTMLElement): Promise<void> {
  try {
    show(element, (await unpacked(bytesOf(data.textContent!))) as unknown[]);
  } catch (error) {
    element.textContent = `The recordings in this page cannot be read: ${error}`;
    element.dataset.state = "failed";
  }
}

Object.assign(globalThis, { bestfirstViewer: { show, widget } });
const [element, data] = ["viewer", "recordings"].map((name) => document.getElementById(`bestfirst-${name}`));
if (element && data) void start(element, data);
