// Small parts that the pages share.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export function Field({ label, hint, children }: { label: string; hint?: string | undefined; children: ComponentChildren }) {
  return (
    <div class="field">
      <label><span>{label}</span>{children}</label>
      {hint && <small>{hint}</small>}
    </div>
  );
}

interface ChoiceProps {
  value: string;
  choices: readonly (string | [string, string])[];
  choose: (value: string) => void;
  label?: string;
}

/** Names to choose from; those of own files without their directories. */
export const named = (all: readonly { name: string }[]): [string, string][] => all.map(({ name }) => [name, name.split(/[/\\]/).at(-1)!]);

/** A list to choose from: values, or pairs of a value and what is shown. */
export function Choice({ value, choices, choose, label }: ChoiceProps) {
  return (
    <select value={value} aria-label={label} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map((one) => {
        const [chosen, shown] = typeof one === "string" ? [one, one] : one;
        return <option key={chosen} value={chosen} selected={chosen === value}>{shown}</option>;
      })}
    </select>
  );
}

interface NumberProps {
  value: number | null;
  set: (value: number | null) => void;
  label?: string;
  placeholder?: string;
  step?: string;
}

/** A number that may be left out. */
export function NumberBox({ value, set, label, placeholder, step = "any" }: NumberProps) {
  return (
    <input
      type="number" min="0" step={step} value={value ?? ""} aria-label={label} placeholder={placeholder}
      onInput={(event) => set(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber)}
    />
  );
}

export function Flag({ value, set, children }: { value: boolean; set: (value: boolean) => void; children: ComponentChildren }) {
  return (
    <label class="flag">
      <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

/** Lines to copy. */
export function Copied({ title, text }: { title: string; text: string }) {
  const said = useSignal("Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      said.value = "Select the lines to copy them";
    }
    setTimeout(() => (said.value = "Copy"), 1500);
  };
  return (
    <div class="copied">
      <header><h4>{title}</h4><button type="button" onClick={() => void copy()}>{said.value}</button></header>
      <pre>{text}</pre>
    </div>
  );
}

export function Problem({ words }: { words: string }) {
  return words ? <p class="notice bad" role="alert">{words}</p> : null;
}

export const counted = (number: number | null | undefined): string => (number == null ? "\u2013" : number.toLocaleString("en", { maximumFractionDigits: 3 }));

export function duration(seconds: number): string {
  return seconds < 1 ? `${(seconds * 1000).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

export const mebibytes = (bytes: number | null): string => (bytes == null ? "\u2013" : `${counted(Math.round(bytes / 2 ** 20))} MiB`);

/** Names of which several can be chosen. none: what holds if none is. */
export function Chips({ title, names, chosen, none }: { title: string; names: string[]; chosen: Signal<string[]>; none?: string }) {
  const toggle = (name: string) => (chosen.value = chosen.value.includes(name) ? chosen.value.filter((one) => one !== name) : names.filter((one) => one === name || chosen.value.includes(one)));
  return (
    <div class="chips" role="group" aria-label={title}>
      <h3>{title}</h3>
      <p>{names.map((name) => <button key={name} type="button" aria-pressed={chosen.value.includes(name)} onClick={() => toggle(name)}>{name}</button>)}</p>
      {none && !chosen.value.length && <small>{none}</small>}
    </div>
  );
}
