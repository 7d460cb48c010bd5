// A small editor for Python: line numbers, indentation by Tab and Enter, and the line of an error.

import { useRef } from "preact/hooks";

const STEP = "    ";

interface EditorProps {
  code: string;
  set: (code: string) => void;
  /** The line of an error, from 1. */
  wrong: number | null;
  label: string;
}

/** Escape, then Tab, leaves the field: Tab alone indents. */
export function Editor({ code, set, wrong, label }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  const leaves = useRef(false);
  const lines = code.split("\n").length;

  /** Replaces the characters from..to, as typing does, so that it can be undone. */
  const put = (from: number, to: number, text: string) => {
    const field = area.current!;
    field.focus();
    field.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) field.setRangeText(text, from, to, "end");
    set(field.value);
  };

  const pressed = (event: KeyboardEvent) => {
    const { value, selectionStart: start, selectionEnd: end } = area.current!;
    const begin = value.lastIndexOf("\n", start - 1) + 1;
    if (event.key === "Escape") {
      leaves.current = true;
      return;
    }
    if (event.key === "Tab" && !leaves.current) {
      event.preventDefault();
      const block = value.slice(begin, end);
      if (event.shiftKey) put(begin, end, block.replace(/^ {1,4}/gm, ""));
      else if (start === end) put(start, end, STEP.slice((start - begin) % STEP.length));
      else put(begin, end, block.replace(/^(?=.)/gm, STEP));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const line = value.slice(begin, start);
      const indent = /^ */.exec(line)![0];
      put(start, end, `\n${indent}${/:\s*(#.*)?$/.test(line) ? STEP : ""}`);
    }
    leaves.current = false;
  };

  return (
    <div class="editor">
      <div class="numbers" ref={numbers} aria-hidden="true">
        {Array.from({ length: lines }, (_, number) => <span key={number} class={number + 1 === wrong ? "wrong" : ""}>{number + 1}</span>)}
      </div>
      <textarea
        ref={area} value={code} rows={Math.min(24, Math.max(7, lines + 1))} spellcheck={false} autocapitalize="off" autocomplete="off" aria-label={label}
        aria-invalid={wrong !== null} wrap="off" onKeyDown={pressed} onInput={(event) => set(event.currentTarget.value)}
        onScroll={(event) => (numbers.current!.scrollTop = event.currentTarget.scrollTop)}
      />
    </div>
  );
}
