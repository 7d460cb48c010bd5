// The moves of a game with their variations: going back and playing another move keeps the old one.

export interface MoveNode {
  text: string;
  side: 0 | 1 | null;
  parent: number;
  children: number[];
}

export interface MoveTree {
  /** Node 0 is the start, before any move. The first child of a node is the main line. */
  nodes: MoveNode[];
  at: number;
}

export const start = (): MoveTree => ({ nodes: [{ text: "", side: null, parent: -1, children: [] }], at: 0 });

/** The nodes from the first move to a node. */
export function lineTo({ nodes }: MoveTree, at: number): number[] {
  const line: number[] = [];
  for (let node = at; node > 0; node = nodes[node].parent) line.unshift(node);
  return line;
}

/** The tree after a move of a side: a new variation, unless the move was played here before. */
export function played(tree: MoveTree, text: string, side: 0 | 1): MoveTree {
  const known = tree.nodes[tree.at].children.find((child) => tree.nodes[child].text === text);
  if (known !== undefined) return { ...tree, at: known };
  const number = tree.nodes.length;
  const nodes = tree.nodes.map((node, place) => (place === tree.at ? { ...node, children: [...node.children, number] } : node));
  return { nodes: [...nodes, { text, side, parent: tree.at, children: [] }], at: number };
}

/** The tree without the move at which it stands and all that follow; it stands before it. */
export function without(tree: MoveTree): MoveTree {
  const { at, nodes } = tree;
  if (at === 0) return tree;
  const { parent } = nodes[at];
  return { at: parent, nodes: nodes.map((node, place) => (place === parent ? { ...node, children: node.children.filter((child) => child !== at) } : node)) };
}

/** The tree whose main line goes through the move at which it stands. */
export function promoted(tree: MoveTree): MoveTree {
  const line = new Set(lineTo(tree, tree.at));
  const first = (children: number[]) => [...children].sort((one, other) => Number(line.has(other)) - Number(line.has(one)));
  return { ...tree, nodes: tree.nodes.map((node) => ({ ...node, children: first(node.children) })) };
}
