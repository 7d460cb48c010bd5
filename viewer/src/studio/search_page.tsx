// The search page: choose a problem, an instance and an algorithm; search; see the result and watch the search.

import { type Signal, signal } from "@preact/signals";
import { type AlgorithmKind, type AlgorithmOption, type Background, type Catalogue, Job, type Picture, type Plan, type ProblemKind, ask, words } from "./api.ts";
import { EditView, canEdit } from "./editing.tsx";
import { EMPTY, type SearchForm, addressOf, formOf } from "./form.ts";
import { MapView, PathView, StateView } from "./state_view.tsx";
import { type Growing, type Piece, WatchGrowing, grown } from "./watch.tsx";
import { Choice, Copied, Field, Flag, NumberBox, Problem, counted, duration, mebibytes, named } from "./widgets.tsx";

interface HeuristicKind {
  name: string;
  summary: string;
  admissible: boolean | null;
  consistent: boolean | null;
}

export interface Looked {
  start: Picture;
  goal?: Picture;
  background: Background;
  written: string;
  /** As Python writes it. */
  state: string;
  unsolvable: string | null;
  heuristics: HeuristicKind[];
  default_heuristic: string | null;
  commands: { shell: string; python: string };
  plan?: Plan;
  plan_error?: string;
}

interface Progress {
  expanded: number;
  generated: number;
  seconds: number;
  rate: number;
  bound: number | null;
  iterations: number;
  memory: number | null;
}

interface Solved {
  verdict: string;
  status: string;
  algorithm: string;
  heuristic: string | null;
  engine: string;
  cost: number | null;
  lower_bound: number | null;
  stats: { expanded: number; generated: number; duplicates: number; reopened: number; pruned: number; peak_agenda: number; seconds: number; peak_memory: number | null; iterations: unknown[] };
  warnings: string[];
  path: (Picture & { action: string })[];
  left_out: number;
  result?: Picture | null;
  background: Background;
  plan: Plan | null;
}

const WAIT = 200;
const MOST_POINTS = 300;

/** The search page and what it knows. */
export class SearchPage {
  readonly form: Signal<SearchForm>;
  readonly looked: Signal<Looked | null> = signal(null);
  readonly wrong = signal("");
  readonly size = signal("");
  readonly seed = signal(1);
  readonly job: Signal<Job | null> = signal(null);
  readonly isStopping = signal(false);
  readonly progress: Signal<Progress | null> = signal(null);
  readonly rates: Signal<[number, number][]> = signal([]);
  readonly solved: Signal<Solved | null> = signal(null);
  readonly failed = signal("");
  readonly recording: Signal<Growing | null> = signal(null);
  readonly isPaused = signal(false);
  readonly watches = signal(false);
  private asked = 0;
  private timer = 0;

  constructor(readonly catalogue: Catalogue) {
    const form = formOf(location.hash.slice(1));
    this.form = signal(form ?? EMPTY);
    if (form) this.lookSoon();
    else this.choose(catalogue.problems[0].name);
  }

  get kind(): ProblemKind {
    const { problems } = this.catalogue;
    return problems.find((problem) => problem.name === this.form.value.problem) ?? problems[0];
  }

  get algorithm(): AlgorithmKind | undefined {
    return this.catalogue.algorithms.find((algorithm) => algorithm.name === this.form.value.algorithm);
  }

  set(change: Partial<SearchForm>): void {
    this.form.value = { ...this.form.value, ...change };
    this.lookSoon();
  }

  /** Change what is searched on the board: the picture changes at once, and the server is asked about it. */
  edit(change: Partial<SearchForm>, drawn: Partial<Looked>): void {
    if (this.looked.value) this.looked.value = { ...this.looked.value, unsolvable: null, ...drawn };
    this.set(change);
  }

  /** Take another problem, with its first example. */
  choose(problem: string): void {
    this.form.value = { ...this.form.value, problem, heuristic: "", choices: {} };
    const { examples, sizes } = this.kind;
    this.size.value = sizes[Math.min(1, sizes.length - 1)] ?? "";
    this.set({ instance: examples[0].instance, options: { ...examples[0].options } });
  }

  /** Take a form from an address. A search that runs gives way. */
  open(form: SearchForm): void {
    this.form.value = form;
    this.job.value?.cancel();
    this.job.value = null;
    this.solved.value = null;
    this.recording.value = null;
    this.failed.value = "";
    this.lookSoon();
  }

  async random(): Promise<void> {
    const size = this.kind.sizes.includes(this.size.value) ? this.size.value : this.kind.sizes[0];
    try {
      const found = await ask<{ instance: string; options: Record<string, string> }>({ work: "random", problem: this.form.value.problem, size, seed: this.seed.value });
      this.set({ instance: found.instance, options: found.options });
      this.seed.value += 1;
    } catch (error) {
      this.wrong.value = words(error);
    }
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), WAIT);
  }

  private async look(): Promise<void> {
    const number = ++this.asked;
    try {
      const looked = await ask<Looked>({ work: "look", ...this.form.value });
      if (number !== this.asked) return;
      this.looked.value = looked;
      this.wrong.value = "";
    } catch (error) {
      if (number !== this.asked) return;
      this.wrong.value = words(error);
    }
  }

  async run(): Promise<void> {
    if (this.job.value) return;
    history.replaceState(null, "", `#${addressOf(this.form.value)}`);
    const job = new Job();
    this.job.value = job;
    this.isStopping.value = this.isPaused.value = false;
    this.progress.value = this.solved.value = this.recording.value = null;
    this.failed.value = "";
    this.rates.value = [];
    await job.run({ work: "search", ...this.form.value }, (message) => {
      if (this.job.value !== job) return;
      if (message.progress) this.hear(message.progress as Progress);
      if (message.solution) this.solved.value = message.solution as Solved;
      if (message.piece) this.recording.value = grown(this.recording.value, message.piece as Piece);
      if (message.paused) this.isPaused.value = true;
      if (message.error) this.failed.value = message.error;
    });
    if (this.job.value === job) this.job.value = null;
    this.isPaused.value = false;
  }

  act(action: "pause" | "go" | "step"): void {
    if (action === "go") this.isPaused.value = false;
    this.job.value?.act(action);
  }

  private hear(progress: Progress): void {
    this.progress.value = progress;
    this.rates.value = [...this.rates.value, [progress.seconds, progress.expanded] as [number, number]].slice(-MOST_POINTS);
  }

  stop(): void {
    this.isStopping.value = true;
    this.job.value?.stop();
  }
}

export function SearchView({ page }: { page: SearchPage }) {
  return (
    <div class="split">
      <FormView page={page} />
      <section class="results" aria-label="results">
        <LookView page={page} />
        <RunView page={page} />
        <SolvedView page={page} />
      </section>
      {page.watches.value && page.recording.value && (
        <WatchGrowing growing={page.recording} close={() => (page.watches.value = false)}>{page.job.value && <Controls page={page} />}</WatchGrowing>
      )}
    </div>
  );
}

function FormView({ page }: { page: SearchPage }) {
  const { form, kind, catalogue } = page;
  const { value } = form;
  return (
    <form class="panel" aria-label="search" onSubmit={(event) => { event.preventDefault(); void page.run(); }}>
      <Field label="Problem" hint={kind.summary}>
        <Choice value={value.problem} choices={named(catalogue.problems)} choose={(name) => page.choose(name)} />
      </Field>
      {kind.takes_instance && (
        <Field label="Instance" hint={kind.hint}>
          <textarea
            rows={kind.long ? 9 : 2} spellcheck={false} value={value.instance} aria-invalid={page.wrong.value !== ""}
            onInput={(event) => page.set({ instance: event.currentTarget.value })}
          />
        </Field>
      )}
      {kind.options.map(({ name, hint, needed, usual }) => (
        <Field key={name} label={name} hint={needed ? undefined : hint}>
          <input value={value.options[name] ?? ""} placeholder={usual} onInput={(event) => page.set({ options: { ...value.options, [name]: event.currentTarget.value } })} />
        </Field>
      ))}
      {kind.examples.length > 1 && <div class="row">
        <Choice
          label="example" value="" choices={[["", "Examples\u2026"], ...kind.examples.map(({ name }, place) => [String(place), name] as [string, string])]}
          choose={(place) => place && page.set({ instance: kind.examples[+place].instance, options: { ...kind.examples[+place].options } })}
        />
      </div>}
      {kind.sizes.length > 0 && <div class="row">
        <button type="button" onClick={() => void page.random()}>Random</button>
        <Choice label="size" value={page.size.value} choices={kind.sizes} choose={(size) => (page.size.value = size)} />
        <label class="inline">seed <NumberBox value={page.seed.value} step="1" set={(seed) => (page.seed.value = seed ?? 0)} /></label>
      </div>}
      <Problem words={page.wrong.value} />
      <hr />
      <Field label="Algorithm" hint={page.algorithm?.summary ?? "chosen by the plan"}>
        <Choice
          value={value.algorithm} choices={[["", "the default"], ...catalogue.algorithms.map(({ name }) => [name, name] as [string, string])]}
          choose={(algorithm) => page.set({ algorithm, choices: {}, ...(catalogue.algorithms.find(({ name }) => name === algorithm)?.heuristic === "none" && { heuristic: "" }) })}
        />
      </Field>
      {!!page.algorithm?.options.length && (
        <details open={page.algorithm.name === "depth-limited"}>
          <summary>Options of {page.algorithm.name}</summary>
          {page.algorithm.options.map((option) => <OptionView key={option.name} page={page} option={option} />)}
        </details>
      )}
      {page.algorithm?.heuristic !== "none" && <HeuristicView page={page} value={value.heuristic} choose={(heuristic) => page.set({ heuristic })} />}
      <Field label="Engine">
        <Choice value={value.engine} choose={(engine) => page.set({ engine })} choices={[["", "the faster one"], ["python", "reference (Python)"], ["compiled", "compiled"]]} />
      </Field>
      <details>
        <summary>Limits and threads</summary>
        <Field label="seconds" hint="empty: 60"><NumberBox value={value.seconds} set={(seconds) => page.set({ seconds })} /></Field>
        <Field label="expansions"><NumberBox value={value.expansions} step="1" set={(expansions) => page.set({ expansions })} /></Field>
        <Field label="memory" hint="such as 500MiB; empty: 4GiB"><input value={value.memory} onInput={(event) => page.set({ memory: event.currentTarget.value })} /></Field>
        <Field label="threads" hint="for idastar, astar, uniform-cost"><NumberBox value={value.threads} step="1" set={(threads) => page.set({ threads })} /></Field>
      </details>
      <Flag value={value.steps} set={(steps) => page.set({ steps })}>Record the steps, to watch the search</Flag>
      {value.steps && catalogue.pauses && <Flag value={value.paused} set={(paused) => page.set({ paused })}>Begin paused, to go step by step</Flag>}
      <div class="row go">
        {page.job.value
          ? <Controls page={page} />
          : <button type="submit" class="primary" disabled={page.wrong.value !== ""}>Search</button>}
      </div>
    </form>
  );
}

/** What can be done with a search that runs. */
function Controls({ page }: { page: SearchPage }) {
  const isPaused = page.isPaused.value;
  return (
    <>
      {page.catalogue.pauses && <button type="button" onClick={() => page.act(isPaused ? "go" : "pause")}>{isPaused ? "Go on" : "Pause"}</button>}
      {page.catalogue.pauses && <button type="button" disabled={!isPaused} onClick={() => page.act("step")} title="Expand one node">Step</button>}
      <button type="button" class="primary stop" disabled={page.isStopping.value} onClick={() => page.stop()}>{page.isStopping.value ? "Stopping\u2026" : "Stop"}</button>
    </>
  );
}

function HeuristicView({ page, value, choose, label = "Heuristic" }: { page: SearchPage; value: string; choose: (value: string) => void; label?: string }) {
  const looked = page.looked.value;
  const known = looked?.heuristics ?? [];
  const found = known.find(({ name }) => name === value);
  const is = (what: string, fact: boolean | null) => (fact === null ? `${what} for some instances` : fact ? what : `not ${what}`);
  const usual = looked?.default_heuristic ? `default: ${looked.default_heuristic}` : "none";
  return (
    <Field label={label} hint={found && `${found.summary} ${is("admissible", found.admissible)}, ${is("consistent", found.consistent)}`}>
      <Choice value={value} choices={[["", usual], ...known.map(({ name }) => name), ...(value && !found ? [value] : [])]} choose={choose} />
    </Field>
  );
}

function OptionView({ page, option }: { page: SearchPage; option: AlgorithmOption }) {
  const { choices } = page.form.value;
  const value = choices[option.name] ?? null;
  const set = (given: string | number | boolean | null) => page.set({ choices: { ...choices, [option.name]: given } });
  const label = option.name.replaceAll("_", " ");
  if (option.kind === "flag") return <Flag value={value === true} set={set}>{option.hint}</Flag>;
  if (option.kind === "heuristic") return <HeuristicView page={page} label={label} value={String(value ?? "")} choose={set} />;
  return (
    <Field label={label} hint={option.hint}>
      {option.kind === "choice"
        ? <Choice value={String(value ?? "")} choices={[["", "the default"], ...option.choices!]} choose={set} />
        : <NumberBox value={value as number | null} set={set} {...(option.usual !== undefined && { placeholder: `such as ${option.usual}` })} />}
    </Field>
  );
}

/** The instance in pictures and the plan, before anything is searched. */
function LookView({ page }: { page: SearchPage }) {
  const looked = page.looked.value;
  if (!looked) return <p class="faint">The instance is being read.</p>;
  return (
    <article class={`card look ${page.wrong.value ? "stale" : ""}`}>
      {canEdit(page.form.value.problem, looked) ? <EditView page={page} looked={looked} size={11} /> : <EndsView page={page} size={11} />}
      {looked.unsolvable && <p class="notice">There is no solution: {looked.unsolvable}.</p>}
      {looked.plan_error && <p class="notice bad" role="alert">{looked.plan_error}</p>}
      {looked.plan && <PlanView plan={looked.plan} title="The plan" />}
      <details class="commands">
        <summary>The same on the command line and in Python</summary>
        <Copied title="Command line" text={looked.commands.shell} />
        <Copied title="Python" text={looked.commands.python} />
      </details>
    </article>
  );
}

/** The start and the goal. size: the width of each, in ems. */
export function EndsView({ page, size }: { page: SearchPage; size: number }) {
  const looked = page.looked.value;
  if (!looked) return null;
  const { problem } = page.form.value;
  const { start, goal, background } = looked;
  if (start.kind === "place") return <MapView background={background} places={goal ? [start, goal] : [start]} isPath={false} />;
  return (
    <div class="ends">
      <figure><figcaption>Start</figcaption><StateView picture={start} problem={problem} size={size} /></figure>
      {goal && <span class="to" aria-hidden="true">{"\u2192"}</span>}
      {goal && <figure><figcaption>Goal</figcaption><StateView picture={goal} problem={problem} size={size} /></figure>}
    </div>
  );
}

function PlanView({ plan, title }: { plan: Plan; title: string }) {
  return (
    <div class="plan">
      <h3>{title}</h3>
      <ol>{plan.stages.map((stage) => <li key={stage}>{stage}</li>)}</ol>
      <details>
        <summary>Why?</summary>
        <dl>{Object.entries(plan.why).map(([choice, reason]) => [<dt key={choice}>{choice}</dt>, <dd key={`${choice} why`}>{reason}</dd>])}</dl>
      </details>
    </div>
  );
}

function RunView({ page }: { page: SearchPage }) {
  const progress = page.progress.value;
  if (!page.job.value && !page.failed.value) return null;
  return (
    <article class="card run" aria-live="polite">
      {page.job.value && (
        <div class="figures">
          <Figure name="expanded" value={counted(progress?.expanded ?? 0)} />
          <Figure name="per second" value={counted(Math.round(progress?.rate ?? 0))} />
          <Figure name="lower bound" value={counted(progress?.bound)} />
          {!!progress?.iterations && <Figure name="iterations" value={counted(progress.iterations)} />}
          <Figure name="memory" value={mebibytes(progress?.memory ?? null)} />
          <Figure name="time" value={progress ? duration(progress.seconds) : "\u2013"} />
        </div>
      )}
      {page.job.value && <RatePlot points={page.rates.value} />}
      {page.job.value && page.recording.value && <div class="row"><button type="button" class="primary" onClick={() => (page.watches.value = true)}>Watch it while it runs</button></div>}
      <Problem words={page.failed.value} />
    </article>
  );
}

export function Figure({ name, value }: { name: string; value: string }) {
  return <div class="figure"><b>{value}</b><span>{name}</span></div>;
}

/** The number of expansions over time. */
function RatePlot({ points }: { points: [number, number][] }) {
  if (points.length < 2) return <div class="rate" />;
  const [from, to] = [points[0], points.at(-1)!];
  const x = (seconds: number) => (600 * (seconds - from[0])) / (to[0] - from[0] || 1);
  const y = (expanded: number) => 58 - (54 * expanded) / (to[1] || 1);
  return (
    <svg class="rate" viewBox="0 0 600 60" preserveAspectRatio="none" role="img" aria-label="expansions over time">
      <polyline points={points.map(([seconds, expanded]) => `${x(seconds)},${y(expanded)}`).join(" ")} fill="none" stroke="var(--accent)" stroke-width="2" vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const GOOD = ["optimal", "bounded", "solved"];

function SolvedView({ page }: { page: SearchPage }) {
  const solved = page.solved.value;
  if (!solved) return null;
  const { stats } = solved;
  const others: [string, number][] = [["duplicates", stats.duplicates], ["reopened", stats.reopened], ["pruned", stats.pruned], ["iterations", stats.iterations.length]];
  return (
    <article class="card solved">
      <div role="status"><h2 class={GOOD.includes(solved.status) ? "good" : "so-so"}>{solved.verdict}</h2></div>
      {solved.warnings.map((warning) => <p key={warning} class="notice">{warning}</p>)}
      <div class="figures">
        <Figure name="cost" value={counted(solved.cost)} />
        <Figure name="expanded" value={counted(stats.expanded)} />
        <Figure name="generated" value={counted(stats.generated)} />
        {others.filter(([, count]) => count > 0).map(([name, count]) => <Figure key={name} name={name} value={counted(count)} />)}
        <Figure name="peak open list" value={counted(stats.peak_agenda)} />
        <Figure name="time" value={duration(stats.seconds)} />
      </div>
      <p class="faint">{solved.algorithm}{solved.heuristic && ` with ${solved.heuristic}`}, {solved.engine === "python" ? "reference" : solved.engine} engine</p>
      {page.recording.value !== null && <button type="button" class="primary" onClick={() => (page.watches.value = true)}>Watch the search step by step</button>}
      {solved.result && <div class="result"><StateView picture={solved.result} problem={page.form.value.problem} size={30} /></div>}
      {solved.path.length > 0 && <PathView path={solved.path} background={solved.background} problem={page.form.value.problem} leftOut={solved.left_out} />}
      {page.recording.value === null && (
        <p class="faint">To watch the search step by step, tick {"\u201c"}Record the steps{"\u201d"} and search again.</p>
      )}
    </article>
  );
}
