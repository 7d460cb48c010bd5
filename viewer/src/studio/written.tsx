// A heuristic that is written in the page, examined while typing stops: estimates, counterexamples, expansions.

import { type Signal, effect, signal } from "@preact/signals";
import { Job, type Picture } from "./api.ts";
import { Editor } from "./editor.tsx";
import { EMPTY, addressOf } from "./form.ts";
import { type Audit, AuditView } from "./audit_view.tsx";
import type { SearchPage } from "./search_page.tsx";
import { StateView } from "./state_view.tsx";
import { Problem, counted } from "./widgets.tsx";

interface Example {
  h: number;
  distance: number;
  written: string;
  picture: Picture;
}

interface Row {
  heuristic: string;
  expanded: number;
  cost: number | null;
  limit: string | null;
  status: string;
}

const WAIT = 700;
const KEPT = "bestfirst-heuristic ";
const TEMPLATES: Record<string, string> = {
  "sliding-tile": `def h(state):
    goal = problem.goal_state()
    return sum(tile != 0 and tile != wanted for tile, wanted in zip(state, goal))
`,
  "jumping-tiles": `def h(state):
    return sum(state[place:].count("w") for place, tile in enumerate(state) if tile == "b")
`,
};
const TEMPLATE = `def h(state):
    return 0
`;

export class Written {
  readonly code = signal("");
  readonly audit: Signal<Audit | null> = signal(null);
  readonly examples: Signal<Example[]> = signal([]);
  readonly rows: Signal<Row[]> = signal([]);
  readonly first: Signal<number | null> = signal(null);
  readonly wrong: Signal<{ line: number | null; words: string } | null> = signal(null);
  readonly doing = signal("");
  readonly shown: Signal<Example | null> = signal(null);
  readonly job: Signal<Job | null> = signal(null);
  private problem = "";
  private timer = 0;

  constructor(readonly search: SearchPage, private readonly states: Signal<number | null>) {
    effect(() => this.take(search.form.value.problem));
  }

  /** Begin with the code that was last written for this problem. */
  private take(problem: string): void {
    if (problem === this.problem) return;
    this.problem = problem;
    this.rest();
    this.forget();
    this.code.value = stored(problem) ?? TEMPLATES[problem] ?? TEMPLATE;
  }

  set(code: string): void {
    if (code === this.code.value) return;
    this.code.value = code;
    this.wrong.value = null;
    try {
      localStorage.setItem(KEPT + this.problem, code);
    } catch {
      // a browser that keeps nothing
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), WAIT);
  }

  /** Nothing runs for the page any more. */
  rest(): void {
    clearTimeout(this.timer);
    this.job.value?.cancel();
    this.job.value = null;
    this.doing.value = "";
  }

  private forget(): void {
    this.audit.value = this.wrong.value = this.shown.value = this.first.value = null;
    this.examples.value = [];
    this.rows.value = [];
  }

  async run(): Promise<void> {
    this.rest();
    this.forget();
    const job = (this.job.value = new Job());
    this.doing.value = "starting";
    const { problem, instance, options } = this.search.form.value;
    await job.run({ work: "written", problem, instance, options, code: this.code.value, states: this.states.value }, (message) => {
      if (message.first !== undefined) this.first.value = message.first as number;
      if (message.doing) this.doing.value = message.doing as string;
      if (message.audit) this.audit.value = message.audit as Audit;
      if (message.examples) this.examples.value = message.examples as Example[];
      if (message.compared) this.rows.value = [...this.rows.value, message.compared as Row];
      if (message.wrong) this.wrong.value = message.wrong as { line: number | null; words: string };
      if (message.error) this.wrong.value = { line: null, words: message.error };
    });
    if (this.job.value === job) this.rest();
  }
}

function stored(problem: string): string | null {
  try {
    return localStorage.getItem(KEPT + problem);
  } catch {
    return null;
  }
}

export function WrittenView({ lab }: { lab: Written }) {
  const { code, wrong, audit, doing, first } = lab;
  const { problem } = lab.search.form.value;
  const state = lab.search.looked.value?.state;
  return (
    <article class="card written">
      <header><h2>Your own heuristic</h2>{first.value !== null && <span class="faint">at the start: {counted(first.value)}</span>}</header>
      <p class="faint">
        In Python: <code>h(state)</code> estimates the cost that remains; <code>problem</code> is the instance. {state && <>The start is <code>{state}</code>.</>}
        {" "}It is examined when you stop typing, on your machine, in a process of its own.
      </p>
      <Editor code={code.value} set={(typed) => lab.set(typed)} wrong={wrong.value?.line ?? null} label="your heuristic in Python" />
      <div class="row">
        {lab.job.value
          ? <button type="button" class="primary stop" onClick={() => lab.rest()}>Stop</button>
          : <button type="button" class="primary" onClick={() => void lab.run()}>Examine it</button>}
        {doing.value && <span class="faint" role="status">{doing.value} {"\u2026"}</span>}
      </div>
      {wrong.value && <Problem words={wrong.value.words} />}
      {audit.value && <AuditView audit={audit.value} all={[audit.value]} bare />}
      {lab.examples.value.length > 0 && (
        <section>
          <h3>Where it is too high</h3>
          <div class="counterexamples">
            {lab.examples.value.map((example) => (
              <button key={example.written} type="button" aria-pressed={lab.shown.value === example} onClick={() => (lab.shown.value = lab.shown.value === example ? null : example)}>
                h {counted(example.h)}, distance {counted(example.distance)}
              </button>
            ))}
          </div>
          {lab.shown.value && <ExampleView lab={lab} example={lab.shown.value} problem={problem} />}
        </section>
      )}
      {lab.rows.value.length > 0 && <Expansions rows={lab.rows.value} />}
    </article>
  );
}

function ExampleView({ lab, example, problem }: { lab: Written; example: Example; problem: string }) {
  const form = { ...lab.search.form.value, instance: example.written };
  return (
    <div class="example">
      <StateView picture={example.picture} problem={problem} size={9} />
      <div>
        <p>The estimate is {counted(example.h)}, but a goal is {counted(example.distance)} away.</p>
        {example.picture.kind !== "place" && <p><a href={`#${addressOf({ ...EMPTY, ...form })}`}>Search from here</a></p>}
      </div>
    </div>
  );
}

/** What A* expands with each heuristic, the fewest first. */
function Expansions({ rows }: { rows: Row[] }) {
  const sorted = [...rows].sort((one, other) => Number(!!one.limit) - Number(!!other.limit) || one.expanded - other.expanded);
  const most = Math.max(...rows.map(({ expanded }) => expanded), 1);
  return (
    <section>
      <h3>Nodes that A* expands from the start</h3>
      <div class="bars">
        {sorted.map(({ heuristic, expanded, cost, limit }) => (
          <div key={heuristic} class={`bar-row ${heuristic === "yours" ? "yours" : ""}`}>
            <span>{heuristic}</span>
            <i><b style={{ width: `${(100 * Math.log1p(expanded)) / Math.log1p(most)}%` }} /></i>
            <em>{counted(expanded)}{limit ? " (limit)" : `, cost ${counted(cost)}`}</em>
          </div>
        ))}
      </div>
    </section>
  );
}
