// The laboratory: what heuristics say of many states of the instance of the search page, beside the true distances.

import { type Signal, signal } from "@preact/signals";
import { Job } from "./api.ts";
import { EndsView, Figure, type SearchPage } from "./search_page.tsx";
import { Chips, Field, NumberBox, Problem, counted } from "./widgets.tsx";

interface Audit {
  heuristic: string;
  error?: string;
  report: string;
  admissible: boolean | null;
  consistent: boolean | null;
  exhaustive: boolean;
  states: number;
  mean_h: number | null;
  mean_distance: number | null;
  largest_h: number | null;
  largest_distance: number | null;
  histogram: [number, number, number][];
}

const MOST_CELLS_ACROSS = 40;

export class LabPage {
  readonly chosen: Signal<string[]> = signal([]);
  readonly states: Signal<number | null> = signal(null);
  readonly audits: Signal<Audit[]> = signal([]);
  readonly doing = signal("");
  readonly failed = signal("");
  readonly job: Signal<Job | null> = signal(null);

  constructor(readonly search: SearchPage) {}

  get known(): string[] {
    return this.search.looked.value?.heuristics.map(({ name }) => name) ?? [];
  }

  async run(): Promise<void> {
    const job = (this.job.value = new Job());
    this.audits.value = [];
    this.failed.value = this.doing.value = "";
    const { problem, instance, options } = this.search.form.value;
    const heuristics = this.chosen.value.filter((name) => this.known.includes(name));
    await job.run({ work: "laboratory", problem, instance, options, heuristics, states: this.states.value }, (message) => {
      if (message.doing) this.doing.value = message.doing as string;
      if (message.audit) this.audits.value = [...this.audits.value, message.audit as Audit];
      if (message.error) this.failed.value = message.error;
    });
    this.doing.value = "";
    this.job.value = null;
  }
}

export function LabView({ page }: { page: LabPage }) {
  const { search } = page;
  return (
    <div class="split">
      <form class="panel" aria-label="laboratory" onSubmit={(event) => { event.preventDefault(); if (!page.job.value) void page.run(); }}>
        <p class="faint">Estimates beside true distances, for the instance of the <a href="#search">search page</a>.</p>
        <EndsView page={search} size={7} />
        <Chips title="Heuristics" names={page.known} chosen={page.chosen} none="none chosen: all" />
        <Field label="States" hint="A larger space is sampled. Empty: 200,000">
          <NumberBox value={page.states.value} step="1" set={(states) => (page.states.value = states)} />
        </Field>
        <div class="row go">
          {page.job.value
            ? <button type="button" class="primary stop" onClick={() => page.job.value?.stop()}>Stop</button>
            : <button type="submit" class="primary">Examine</button>}
        </div>
      </form>
      <section class="results" aria-label="results">
        <Problem words={page.failed.value} />
        {page.doing.value && <p class="faint" role="status">{page.doing.value} {"\u2026"}</p>}
        {page.audits.value.map((audit) => <AuditView key={audit.heuristic} audit={audit} all={page.audits.value} />)}
        {!page.audits.value.length && !page.job.value && (
          <p class="faint">Each heuristic is asked about every state, or a sample. A good one is close to the true distance; an admissible one never exceeds it.</p>
        )}
      </section>
    </div>
  );
}

function AuditView({ audit, all }: { audit: Audit; all: Audit[] }) {
  if (audit.error) return <article class="card"><h2>{audit.heuristic}</h2><Problem words={audit.error} /></article>;
  const share = audit.mean_h !== null && audit.mean_distance ? audit.mean_h / audit.mean_distance : null;
  const most = Math.max(1, ...all.flatMap(({ histogram = [] }) => histogram.flatMap(([h, distance]) => [h, distance])));
  return (
    <article class="card audit">
      <div>
        <h2>{audit.heuristic}</h2>
        <p class="row"><Fact name="admissible" value={audit.admissible} /><Fact name="consistent" value={audit.consistent} /></p>
        <div class="figures">
          <Figure name={audit.exhaustive ? "states, all" : "states sampled"} value={counted(audit.states)} />
          <Figure name="mean estimate" value={counted(audit.mean_h)} />
          <Figure name="mean distance" value={counted(audit.mean_distance)} />
          {share !== null && <Figure name="of the distance" value={`${Math.round(100 * share)} %`} />}
        </div>
        <details><summary>Report</summary><pre>{audit.report}</pre></details>
      </div>
      <Heat histogram={audit.histogram} most={most} />
    </article>
  );
}

function Fact({ name, value }: { name: string; value: boolean | null }) {
  const text = value === null ? `${name}: no counterexample` : value ? name : `not ${name}`;
  return <span class={`fact ${value === null ? "so-so" : value ? "good" : "bad"}`}>{text}</span>;
}

/** How many states have an estimate (across) and a distance (upwards); above the diagonal it never exceeds the distance. */
function Heat({ histogram, most }: { histogram: [number, number, number][]; most: number }) {
  const step = Math.max(1, Math.ceil((most + 1) / MOST_CELLS_ACROSS));
  const cells = new Map<string, [number, number, number]>();
  for (const [h, distance, number] of histogram) {
    const [x, y] = [Math.floor(h / step), Math.floor(distance / step)];
    const known = cells.get(`${x} ${y}`);
    cells.set(`${x} ${y}`, [x, y, number + (known?.[2] ?? 0)]);
  }
  const side = Math.floor(most / step) + 1;
  const largest = Math.max(1, ...[...cells.values()].map(([, , number]) => number));
  return (
    <svg class="heat" viewBox={`${-0.1 * side} ${-0.02 * side} ${1.12 * side} ${1.12 * side}`} role="img" aria-label="states by estimate and distance">
      <rect x="0" y="0" width={side} height={side} fill="var(--ground)" />
      {[...cells.values()].map(([x, y, number]) => (
        <rect key={`${x} ${y}`} x={x} y={side - 1 - y} width="1" height="1" class={x > y ? "over" : ""} fill-opacity={0.15 + (0.85 * Math.log(1 + number)) / Math.log(1 + largest)}>
          <title>{`estimate ${x * step}, distance ${y * step}: ${number.toLocaleString("en")} states`}</title>
        </rect>
      ))}
      <line x1="0" y1={side} x2={side} y2="0" stroke="var(--faint)" stroke-width={side / 200} stroke-dasharray={side / 50} />
      <text x={side / 2} y={side + 0.055 * side} font-size={0.05 * side}>estimate, 0 to {counted(most)}</text>
      <text x="0" y="0" font-size={0.05 * side} transform={`translate(${-0.05 * side} ${side / 2}) rotate(-90)`}>true distance</text>
    </svg>
  );
}
