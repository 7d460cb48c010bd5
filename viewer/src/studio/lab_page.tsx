// The laboratory: what heuristics say of many states of the instance of the search page, beside the true distances.

import { type Signal, signal } from "@preact/signals";
import { Job } from "./api.ts";
import { type Audit, AuditView } from "./audit_view.tsx";
import { EndsView, type SearchPage } from "./search_page.tsx";
import { Chips, Field, NumberBox, Problem } from "./widgets.tsx";
import { Written, WrittenView } from "./written.tsx";

export class LabPage {
  readonly chosen: Signal<string[]> = signal([]);
  readonly states: Signal<number | null> = signal(null);
  readonly audits: Signal<Audit[]> = signal([]);
  readonly doing = signal("");
  readonly failed = signal("");
  readonly job: Signal<Job | null> = signal(null);

  readonly written: Written;

  constructor(readonly search: SearchPage) {
    this.written = new Written(search, this.states);
  }

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
        <WrittenView lab={page.written} />
        <Problem words={page.failed.value} />
        {page.doing.value && <p class="faint" role="status">{page.doing.value} {"\u2026"}</p>}
        {page.audits.value.map((audit) => <AuditView key={audit.heuristic} audit={audit} all={page.audits.value} />)}
        {!page.audits.value.length && !page.job.value && (
          <p class="faint">Each heuristic is evaluated in every state, or in a sample. A good one is close to the true distance; an admissible one never exceeds it.</p>
        )}
      </section>
    </div>
  );
}
