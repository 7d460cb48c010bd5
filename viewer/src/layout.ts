// Where the nodes of a tree are drawn: parents centred above their children, subtrees as close as their outlines allow.

import { NONE } from "./run.ts";

export interface Layout {
  /** By node: its column, the least and greatest column in its subtree, its depth, and the greatest depth in its subtree. */
  x: Float64Array;
  left: Float64Array;
  right: Float64Array;
  depth: Uint32Array;
  bottom: Uint32Array;
  firstChild: Int32Array;
  nextSibling: Int32Array;
  roots: number[];
}

/**
 * Lays out the nodes from `first` to `end`, each of which has a lower number than its children, with neighbours one column apart.
 *
 * Children of collapsed nodes are left out. Time: linear. Source: Reingold and Tilford 1981, with threads for any number of
 * children as in van der Ploeg 2014.
 */
export function layoutOf(parent: ArrayLike<number>, first: number, end: number, collapsed: ReadonlySet<number>): Layout {
  const nodes = parent.length;
  const layout: Layout = {
    x: new Float64Array(nodes),
    left: new Float64Array(nodes),
    right: new Float64Array(nodes),
    depth: new Uint32Array(nodes),
    bottom: new Uint32Array(nodes),
    firstChild: new Int32Array(nodes).fill(NONE),
    nextSibling: new Int32Array(nodes).fill(NONE),
    roots: [],
  };
  link(layout, parent, first, end, collapsed);
  const offset = new Outlines(layout, first, end).offsets();
  place(layout, parent, offset, first, end);
  return layout;
}

function link(layout: Layout, parent: ArrayLike<number>, first: number, end: number, collapsed: ReadonlySet<number>): void {
  const { depth, firstChild, nextSibling, roots } = layout;
  for (let node = end - 1; node >= first; node--) {
    const above = parent[node];
    if (above === NONE) roots.push(node);
    else if (!collapsed.has(above)) {
      nextSibling[node] = firstChild[above];
      firstChild[above] = node;
    }
  }
  roots.reverse();
  for (let node = first; node < end; node++) if (parent[node] !== NONE) depth[node] = depth[parent[node]] + 1;
}

/** The outlines of subtrees: from each node to the next one on the left or right edge, a level below. */
class Outlines {
  private readonly offset: Float64Array;
  private readonly lastChild: Int32Array;
  /** From the lowest node of an outline to the one that continues it in a taller neighbour, and how far to the right that is. */
  private readonly thread: Int32Array;
  private readonly threadBy: Float64Array;
  /** By node: the lowest node on the left and on the right edge of its subtree, and how far to the right they are. */
  private readonly lowLeft: Int32Array;
  private readonly lowRight: Int32Array;
  private readonly lowLeftBy: Float64Array;
  private readonly lowRightBy: Float64Array;

  constructor(
    private readonly layout: Layout,
    private readonly first: number,
    private readonly end: number,
  ) {
    const nodes = layout.x.length;
    const [ints, floats] = [() => new Int32Array(nodes).fill(NONE), () => new Float64Array(nodes)];
    [this.lastChild, this.thread, this.lowLeft, this.lowRight] = [ints(), ints(), ints(), ints()];
    [this.offset, this.threadBy, this.lowLeftBy, this.lowRightBy] = [floats(), floats(), floats(), floats()];
  }

  /** How far each node is to the right of its parent. */
  offsets(): Float64Array {
    const { firstChild, nextSibling } = this.layout;
    for (let node = this.end - 1; node >= this.first; node--) {
      const eldest = firstChild[node];
      if (eldest === NONE) {
        this.lowLeft[node] = this.lowRight[node] = node;
        continue;
      }
      let last = eldest;
      this.offset[eldest] = 0;
      for (let child = nextSibling[eldest]; child !== NONE; child = nextSibling[child]) {
        this.join(eldest, last, child);
        last = child;
      }
      this.lastChild[node] = last;
      this.centre(node, eldest, last);
    }
    return this.offset;
  }

  /** Put a subtree as close to the right of its siblings as possible. */
  private join(eldest: number, last: number, child: number): void {
    let [right, rightBy] = [last, this.offset[last]];
    let [left, leftBy] = [child, 0];
    let shift = rightBy + 1;
    for (;;) {
      const [nextRight, nextLeft] = [this.below(right, this.lastChild), this.below(left, this.layout.firstChild)];
      if (nextRight === NONE && nextLeft === NONE) {
        break;
      }
      if (nextRight !== NONE) rightBy += this.by(right, nextRight, this.lastChild);
      if (nextLeft !== NONE) leftBy += this.by(left, nextLeft, this.layout.firstChild);
      if (nextRight === NONE) {
        this.continueLeft(eldest, child, nextLeft, leftBy + shift, shift);
        break;
      }
      if (nextLeft === NONE) {
        this.continueRight(last, child, nextRight, rightBy, shift);
        break;
      }
      [right, left] = [nextRight, nextLeft];
      shift = Math.max(shift, rightBy + 1 - leftBy);
    }
    this.offset[child] = shift;
  }

  private below(node: number, children: Int32Array): number {
    return children[node] !== NONE ? children[node] : this.thread[node];
  }

  private by(node: number, next: number, children: Int32Array): number {
    return children[node] !== NONE ? this.offset[next] : this.threadBy[node];
  }

  /** The new subtree is taller: the left edge of its siblings continues in it. */
  private continueLeft(eldest: number, child: number, next: number, nextBy: number, shift: number): void {
    const low = this.lowLeft[eldest];
    this.thread[low] = next;
    this.threadBy[low] = nextBy - this.lowLeftBy[eldest];
    this.lowLeft[eldest] = this.lowLeft[child];
    this.lowLeftBy[eldest] = this.lowLeftBy[child] + shift;
  }

  /** Its siblings are taller: its right edge continues in theirs. */
  private continueRight(last: number, child: number, next: number, nextBy: number, shift: number): void {
    const low = this.lowRight[child];
    this.thread[low] = next;
    this.threadBy[low] = nextBy - (this.lowRightBy[child] + shift);
    this.lowRight[child] = this.lowRight[last];
    this.lowRightBy[child] = this.lowRightBy[last] + this.offset[last] - shift;
  }

  private centre(node: number, eldest: number, last: number): void {
    const middle = this.offset[last] / 2;
    this.lowLeft[node] = this.lowLeft[eldest];
    this.lowLeftBy[node] = this.lowLeftBy[eldest] - middle;
    this.lowRight[node] = this.lowRight[last];
    this.lowRightBy[node] = this.lowRightBy[last] + this.offset[last] - middle;
    const { nextSibling } = this.layout;
    for (let child = eldest; child !== NONE; child = nextSibling[child]) this.offset[child] -= middle;
  }
}

/** Columns and extents: the roots stand side by side, the leftmost node in column 0. */
function place(layout: Layout, parent: ArrayLike<number>, offset: Float64Array, first: number, end: number): void {
  const { x, left, right, depth, bottom, roots, firstChild, nextSibling } = layout;
  for (let node = first; node < end; node++) x[node] = parent[node] === NONE ? 0 : x[parent[node]] + offset[node];
  for (let node = end - 1; node >= first; node--) {
    [left[node], right[node], bottom[node]] = [x[node], x[node], depth[node]];
    for (let child = firstChild[node]; child !== NONE; child = nextSibling[child]) {
      if (left[child] < left[node]) left[node] = left[child];
      if (right[child] > right[node]) right[node] = right[child];
      if (bottom[child] > bottom[node]) bottom[node] = bottom[child];
    }
  }
  const moved = new Float64Array(x.length);
  let column = 0;
  for (const root of roots) {
    moved[root] = column - left[root];
    column += right[root] - left[root] + 1;
  }
  for (let node = first; node < end; node++) {
    if (parent[node] !== NONE) moved[node] = moved[parent[node]];
    x[node] += moved[node];
    left[node] += moved[node];
    right[node] += moved[node];
  }
}

/** The node at a column and depth; NONE if there is none. */
export function nodeAt(layout: Layout, column: number, depth: number): number {
  const waiting = [...layout.roots];
  while (waiting.length) {
    const node = waiting.pop()!;
    if (column < layout.left[node] - 0.5 || column > layout.right[node] + 0.5 || layout.bottom[node] < depth) continue;
    if (layout.depth[node] === depth) {
      if (Math.abs(layout.x[node] - column) <= 0.5) return node;
      continue;
    }
    for (let child = layout.firstChild[node]; child !== NONE; child = layout.nextSibling[child]) waiting.push(child);
  }
  return NONE;
}
