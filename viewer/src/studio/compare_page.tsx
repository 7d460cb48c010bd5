// The compare page: algorithms with heuristics on instances, as a table and as bars; each cell opens its search.

import { type Signal, computed, signal } from "@preact/signals";
import { type Catalogue, Job, type ProblemKind, ask, words } from "./api.ts";
import { EMPTY, addressOf } from "./form.ts";
import { Chips, Choice, Field, NumberBox, Problem, counted, duration, named } from "./widgets.tsx";

interface Instance {
  name: string;
  instance: string;
  options: Record<string, string>;
}

interface Key {
  instance: number;
  algorithm: string;
  heuristic: string | null;
}

interface Row extends Key {
  error?: string;
  status?: string;
  limit?: string | null;
  cost?: number | null;
  lower_bound?: number | null;
  actions?: number | null;
  expanded?: number;
  generated?: number;
  seconds?: number;
  peak_agenda?: number;
  branching?: number | null;
  engine?: string;
}

const MEASURES = {
  expanded: "nodes expanded",
  generated: "nodes generated",
  seconds: "time",
  cost: "cost of the solution",
  peak_agenda: "peak open list",
  branching: "effective branching factor",
} as const;
type Measure = keyof typeof MEASURES;

const AT_FIRST = ["astar", "idastar", "greedy", "uniform-cost"];
const SECONDS = 20;
const MOST_RANDOM = 20;
/** A search of at most so many nodes is recorded when its cell is opened. */
const MOST_WATCHED = 20_000;

export class ComparePage {
  readonly problem: Signal<string>;
  readonly instances: Signal<Instance[]> = signal([]);
  readonly algorithms: Signal<string[]> = signal(AT_FIRST);
  readonly heuristics: Signal<string[]> = signal([]);
  readonly known: Signal<string[]> = signal([]);
  readonly engine = signal("");
  readonly seconds: Signal<number | null> = signal(SECONDS);
  readonly measure: Signal<Measure> = signal("expanded");
  readonly rows: Signal<Row[]> = signal([]);
  /** What the rows are about: the problem and the instances when the comparison began. */
  readonly about: Signal<{ problem: string; instances: Instance[]; seconds: number; engine: string }> = signal({ problem: "", instances: [], seconds: 0, engine: "" });
  readonly now: Signal<(Key & { expanded?: number }) | null> = signal(null);
  readonly job: Signal<Job | null> = signal(null);
  readonly failed = signal("");
  readonly size = signal("");
  readonly count: Signal<number | null> = signal(5);
  readonly seed: Signal<number | null> = signal(1);
  readonly typed = signal("");
  readonly pairs = computed(() => {
    const all = new Map<string, Key>();
    for (const row of [...this.rows.value, ...(this.now.value ? [this.now.value] : [])]) all.set(nameOf(row), row);
    return [...all.values()];
  });

  constructor(readonly catalogue: Catalogue) {
    this.problem = signal(catalogue.problems[0].name);
    this.choose(this.problem.value);
  }

  get kind(): ProblemKind {
    return this.catalogue.problems.find(({ name }) => name === this.problem.value)!;
  }

  choose(problem: string): void {
    this.problem.value = problem;
    const { examples, sizes } = this.kind;
    this.size.value = sizes[Math.min(1, sizes.length - 1)] ?? "";
    this.heuristics.value = [];
    this.instances.value = examples.slice(0, 1).map(({ name, instance, options }) => ({ name, instance, options }));
    void this.look();
  }

  private async look(): Promise<void> {
    const [first] = this.instances.value;
    if (!first) return;
    try {
      const looked = await ask<{ heuristics: { name: string }[] }>({ work: "look", problem: this.problem.value, ...first });
      this.known.value = looked.heuristics.map(({ name }) => name);
    } catch {
      this.known.value = [];
    }
  }

  add(instance: Instance): void {
    this.instances.value = [...this.instances.value, instance];
    void this.look();
  }

  remove(place: number): void {
    this.instances.value = this.instances.value.filter((_, other) => other !== place);
  }

  async random(): Promise<void> {
    const [first, size, problem] = [this.seed.value ?? 1, this.size.value, this.problem.value];
    const count = Math.min(MOST_RANDOM, this.count.value ?? 1);
    try {
      for (let seed = first; seed < first + count; seed++) {
        const found = await ask<{ instance: string; options: Record<string, string> }>({ work: "random", problem, size, seed });
        this.add({ name: `random ${size}, seed ${seed}`, ...found });
      }
      this.seed.value = first + count;
      this.failed.value = "";
    } catch (error) {
      this.failed.value = words(error);
    }
  }

  async run(): Promise<void> {
    const job = new Job();
    this.job.value = job;
    this.rows.value = [];
    this.failed.value = "";
    const [instances, seconds] = [this.instances.value, this.seconds.value ?? SECONDS];
    this.about.value = { problem: this.problem.value, instances, seconds, engine: this.engine.value };
    const request = { problem: this.problem.value, instances, algorithms: this.algorithms.value, heuristics: this.heuristics.value, engine: this.engine.value, seconds };
    await job.run({ work: "compare", ...request }, (message) => {
      if (message.begins) this.now.value = message.begins as Key;
      if (message.progress) this.now.value = message.progress as Key;
      if (message.row) this.rows.value = [...this.rows.value, message.row as Row];
      if (message.error) this.failed.value = message.error;
    });
    this.now.value = null;
    this.job.value = null;
  }

  rowOf(pair: Key, instance: number): Row | undefined {
    return this.rows.value.find((row) => row.instance === instance && nameOf(row) === nameOf(pair));
  }

  /** The mean of the measure over the instances that a pair has ended with a result; null if there is none. */
  mean(pair: Key): number | null {
    const numbers = this.rows.value.filter((row) => nameOf(row) === nameOf(pair) && ended(row)).map((row) => row[this.measure.value]);
    const known = numbers.filter((number): number is number => typeof number === "number");
    return known.length ? known.reduce((sum, number) => sum + number, 0) / known.length : null;
  }

  addressOf(row: Row): string {
    const { problem, instances, seconds, engine } = this.about.value;
    const { instance, options } = instances[row.instance];
    const steps = engine !== "compiled" && (row.generated ?? Infinity) < MOST_WATCHED;
    return `#${addressOf({ ...EMPTY, problem, instance, options, algorithm: row.algorithm, heuristic: row.heuristic ?? "", engine, seconds, steps })}&go=yes`;
  }

  save(): void {
    const names = ["instance", "algorithm", "heuristic", "status", "cost", "expanded", "generated", "seconds", "peak_agenda", "branching"] as const;
    const quoted = (value: unknown) => (value == null ? "" : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
    const lines = this.rows.value.map((row) => names.map((name) => quoted(name === "instance" ? this.about.value.instances[row.instance].instance.trim() : row[name])).join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${names.join(",")}\n${lines.join("\n")}\n`], { type: "text/csv" }));
    link.download = `${this.about.value.problem}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

const nameOf = ({ algorithm, heuristic }: Key) => `${algorithm}${heuristic ? ` with ${heuristic}` : ""}`;
const ended = ({ status }: Row) => status !== undefined && status !== "limit" && status !== "interrupted";

export function CompareView({ page }: { page: ComparePage }) {
  return (
    <div class="split">
      <FormView page={page} />
      <section class="results" aria-label="results">
        <Problem words={page.failed.value} />
        {page.pairs.value.length ? <Results page={page} /> : <p class="faint">Choose instances, algorithms and heuristics. Each combination is searched.</p>}
      </section>
    </div>
  );
}

function FormView({ page }: { page: ComparePage }) {
  const { kind, catalogue } = page;
  const examples = kind.examples.map(({ name }, place) => [String(place), name] as [string, string]);
  return (
    <form class="panel" aria-label="comparison" onSubmit={(event) => { event.preventDefault(); if (!page.job.value) void page.run(); }}>
      <Field label="Problem" hint={kind.summary}>
        <Choice value={page.problem.value} choices={named(catalogue.problems)} choose={(name) => page.choose(name)} />
      </Field>
      <h3>Instances</h3>
      <ul class="instances">
        {page.instances.value.map((one, place) => (
          <li key={place}>
            <span title={one.instance}>{one.name}</span>
            <button type="button" aria-label={`remove ${one.name}`} onClick={() => page.remove(place)}>{"\u00d7"}</button>
          </li>
        ))}
      </ul>
      <div class="row">
        <Choice label="example" value="" choices={[["", "Add an example\u2026"], ...examples]} choose={(place) => place && page.add(kind.examples[+place])} />
      </div>
      {!kind.long && kind.takes_instance && (
        <div class="row">
          <input
            aria-label="an instance" placeholder={kind.hint} value={page.typed.value} onInput={(event) => (page.typed.value = event.currentTarget.value)}
          />
          <button
            type="button" disabled={!page.typed.value.trim()}
            onClick={() => { page.add({ name: page.typed.value, instance: page.typed.value, options: kind.examples[0].options.goal && kind.options.some(({ name, needed }) => name === "goal" && needed) ? kind.examples[0].options : {} }); page.typed.value = ""; }}
          >
            Add
          </button>
        </div>
      )}
      {kind.sizes.length > 0 && <div class="row">
        <button type="button" onClick={() => void page.random()}>Add random</button>
        <NumberBox label="how many" step="1" value={page.count.value} set={(count) => (page.count.value = count)} />
        <Choice label="size" value={page.size.value} choices={kind.sizes} choose={(size) => (page.size.value = size)} />
        <label class="inline">seed <NumberBox step="1" value={page.seed.value} set={(seed) => (page.seed.value = seed)} /></label>
      </div>}
      <Chips title="Algorithms" names={catalogue.algorithms.filter(({ name }) => name !== "depth-limited").map(({ name }) => name)} chosen={page.algorithms} />
      <Chips title="Heuristics" names={page.known.value} chosen={page.heuristics} none="none chosen: the default" />
      <Field label="Engine">
        <Choice value={page.engine.value} choose={(engine) => (page.engine.value = engine)} choices={[["", "the faster one"], ["python", "reference (Python)"], ["compiled", "compiled"]]} />
      </Field>
      <Field label="seconds for each search"><NumberBox value={page.seconds.value} set={(seconds) => (page.seconds.value = seconds)} /></Field>
      <div class="row go">
        {page.job.value
          ? <button type="button" class="primary stop" onClick={() => page.job.value?.stop()}>Stop</button>
          : <button type="submit" class="primary">Compare</button>}
      </div>
    </form>
  );
}

function Results({ page }: { page: ComparePage }) {
  const { instances } = page.about.value;
  const { measure } = page;
  const asked = page.rows.value.length;
  return (
    <article class="card">
      <header class="row spread">
        <h2>{page.about.value.problem.split("/").at(-1)}: {MEASURES[measure.value]}</h2>
        <span class="row">
          <Choice label="measure" value={measure.value} choices={Object.entries(MEASURES)} choose={(name) => (measure.value = name as Measure)} />
          <button type="button" disabled={!asked} onClick={() => page.save()}>CSV</button>
        </span>
      </header>
      <Bars page={page} />
      <div class="scroll">
        <table class="compared">
          <thead>
            <tr>
              <th scope="col">algorithm</th><th scope="col">heuristic</th>
              {instances.length > 1 && <th scope="col">mean</th>}
              {instances.map(({ name }, place) => <th key={place} scope="col" title={name}>{shortened(name)}</th>)}
            </tr>
          </thead>
          <tbody>
            {page.pairs.value.map((pair) => (
              <tr key={nameOf(pair)}>
                <th scope="row">{pair.algorithm}</th><td class="left">{pair.heuristic ?? "\u2013"}</td>
                {instances.length > 1 && <td><b>{shown(measure.value, page.mean(pair))}</b></td>}
                {instances.map((_, place) => <Cell key={place} page={page} pair={pair} instance={place} />)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="faint">A number opens its search. {">"} means that a limit ended it. Means are over the searches that ended.</p>
    </article>
  );
}

function Cell({ page, pair, instance }: { page: ComparePage; pair: Key; instance: number }) {
  const row = page.rowOf(pair, instance);
  const now = page.now.value;
  if (!row) {
    const runs = now && now.instance === instance && nameOf(now) === nameOf(pair);
    return <td class="faint">{runs ? (now.expanded === undefined ? "\u2026" : `${counted(now.expanded)} \u2026`) : ""}</td>;
  }
  if (row.error) return <td class="bad" title={row.error}>not possible</td>;
  const value = row[page.measure.value] ?? null;
  const text = row.status === "unsolvable" && page.measure.value === "cost" ? "no solution" : shown(page.measure.value, value);
  return <td><a href={page.addressOf(row)} title={`${row.status}${row.limit ? ` (${row.limit})` : ""}, ${row.engine} engine`}>{ended(row) ? "" : "> "}{text}</a></td>;
}

function shown(measure: Measure, value: number | null): string {
  if (value === null) return "\u2013";
  if (measure === "seconds") return duration(value);
  return value > 100 ? counted(Math.round(value)) : counted(value);
}

const shortened = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}\u2026` : name);

/** The means as bars, on a logarithmic scale if they differ much. */
function Bars({ page }: { page: ComparePage }) {
  const measure = page.measure.value;
  const means = page.pairs.value.map((pair) => [pair, page.mean(pair)] as const).filter(([, mean]) => mean !== null) as [Key, number][];
  if (!means.length) return null;
  const numbers = means.map(([, mean]) => mean);
  const most = Math.max(...numbers);
  const positive = numbers.filter((number) => number > 0);
  const least = Math.min(...positive);
  const isLog = positive.length > 1 && most / least > 50;
  const from = isLog ? 10 ** Math.floor(Math.log10(least) - 0.3) : 0;
  const part = (number: number) => (number <= 0 || most <= 0 ? 0 : isLog ? Math.log(number / from) / Math.log(most / from) : number / most);
  return (
    <figure class="bars">
      <div role="img" aria-label={means.map(([pair, mean]) => `${nameOf(pair)}: ${shown(measure, mean)}`).join("; ")}>
        {means.map(([pair, mean]) => (
          <div key={nameOf(pair)} class="bar-row">
            <span>{nameOf(pair)}</span>
            <i><b style={{ width: `${100 * part(mean)}%` }} /></i>
            <em>{shown(measure, mean)}</em>
          </div>
        ))}
      </div>
      {isLog && <figcaption class="faint">logarithmic scale</figcaption>}
    </figure>
  );
}
