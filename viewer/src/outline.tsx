// The tree as text around one node: for screen readers, and to walk through the tree with the keyboard.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Pane } from "./pane.tsx";
import { lookOf } from "./palette.ts";
import { NONE, type Run } from "./run.ts";
import { fateInWords, values } from "./words.ts";

const MOST_ABOVE = 6;
const MOST_BESIDE = 30;

interface Item {
  node: number;
  level: number;
  /** Its place among its siblings, from 1, and their number. */
  place: number;
  siblings: number;
  hasChildren: boolean;
  isOpen: boolean;
}

/** The path to a node, its siblings near it, and its children, in the order of the tree. */
export function outlineOf(run: Run, node: number, time: number): Item[] {
  const path: number[] = [];
  for (let above = node; above !== NONE; above = run.parent[above]) path.push(above);
  path.reverse();
  const items: Item[] = [];
  const add = (all: readonly number[], place: number, level: number, isOpen: boolean) => {
    const hasChildren = isOpen || run.childrenAt(all[place], time).length > 0;
    items.push({ node: all[place], level, place: place + 1, siblings: all.length, hasChildren, isOpen });
  };
  path.slice(0, -1).slice(-MOST_ABOVE).forEach((above) => {
    const siblings = run.childrenAt(run.parent[above], time);
    add(siblings, siblings.indexOf(above), path.indexOf(above) + 1, true);
  });
  const [siblings, children] = [run.childrenAt(run.parent[node], time), run.childrenAt(node, time)];
  const own = siblings.indexOf(node);
  const from = Math.max(0, Math.min(own - MOST_BESIDE / 2, siblings.length - MOST_BESIDE));
  siblings.slice(from, from + MOST_BESIDE).forEach((sibling, at) => {
    add(siblings, from + at, path.length, sibling === node && children.length > 0);
    if (sibling === node) children.slice(0, MOST_BESIDE).forEach((_, child) => add(children, child, path.length + 1, false));
  });
  return items;
}

export function Outline({ pane, node }: { pane: Pane; node: number }) {
  const list = useRef<HTMLUListElement>(null);
  const hadFocus = list.current?.contains(document.activeElement) ?? false; // before its items change
  useLayoutEffect(() => {
    if (hadFocus) list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  });
  if (node === NONE || pane.quiz.isOpen) return null;
  const { run, time, palette } = pane;
  const items = outlineOf(run, node, time.value);
  const select = (chosen: number | undefined) => {
    if (chosen === undefined || chosen === NONE) return;
    pane.selected.value = chosen;
    for (const stage of pane.stages.values()) stage.reveal(chosen);
  };
  const pressed = (event: KeyboardEvent) => {
    const at = items.findIndex((item) => item.node === node);
    const moves: Record<string, () => void> = {
      ArrowDown: () => select(items[at + 1]?.node),
      ArrowUp: () => select(items[at - 1]?.node),
      ArrowLeft: () => select(run.parent[node]),
      ArrowRight: () => select(run.childrenAt(node, time.value)[0]),
      Home: () => select(items[0].node),
      End: () => select(items.at(-1)!.node),
    };
    if (!(event.key in moves) || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="outline">
      <h3 id={`outline-${pane.number}`}>Around this node</h3>
      <ul ref={list} role="tree" aria-labelledby={`outline-${pane.number}`} onKeyDown={pressed}>
        {items.map((item) => (
          <li
            key={item.node} role="treeitem" aria-level={item.level} aria-posinset={item.place} aria-setsize={item.siblings}
            aria-selected={item.node === node} aria-current={item.node === run.currentAt(time.value) ? "step" : undefined}
            {...(item.hasChildren ? { "aria-expanded": item.isOpen } : {})} tabIndex={item.node === node ? 0 : -1}
            style={{ paddingLeft: `${0.3 + 0.9 * (item.level - items[0].level)}em` }} onClick={() => select(item.node)}
          >
            <i aria-hidden="true" style={{ background: lookOf(run, item.node, time.value, palette.value).line }} />
            <span>{run.actionOf(item.node) ?? run.label(item.node)}</span>
            <span class="hidden">, {run.label(item.node)},</span>
            <b>{values(run, item.node, time.value)}</b>
            <small>{fateInWords(run, item.node, time.value)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
