// Time: which step is shown, and how it moves.

import { type Signal, computed, effect, signal } from "@preact/signals";
import { type Kind, type Run, lastBelow } from "./run.ts";

/** What a step is: an event, an expansion, or a microsecond. */
export type Unit = "events" | "expansions" | "seconds";
const PER_SECOND = 1000;

/** The moment that is shown, in one or several runs, which are shown after the same number of events, expansions or seconds. */
export class Player {
  readonly step: Signal<number> = signal(0);
  readonly isPlaying = signal(false);
  /** Steps per second. */
  readonly speed = signal(4);
  /** By time: the seconds in which the whole search is played. */
  readonly duration = signal(10);
  readonly unit: Signal<Unit>;
  private due = 0;
  private last = 0;

  constructor(readonly runs: readonly Run[]) {
    this.unit = signal<Unit>(runs.length > 1 ? "expansions" : "events");
    effect(() => {
      if (!this.isPlaying.value) return;
      this.last = performance.now();
      this.due = 0;
      requestAnimationFrame(this.tick);
    });
  }

  /** The last step. */
  readonly end = computed(() => Math.max(...this.runs.map((run) => this.stepsOf(run))));

  /** By time only if it was recorded, in all runs. */
  readonly units = computed<Unit[]>(() => {
    const isTimed = this.runs.every((run) => (void run.chunks.value, run.moments?.length));
    return isTimed ? ["expansions", "events", "seconds"] : ["expansions", "events"];
  });

  private stepsOf(run: Run): number {
    void run.chunks.value; // a search that still runs
    if (this.unit.value === "seconds") return Math.max(1, run.moments?.at(-1) ?? 0);
    return this.unit.value === "events" ? run.events : Math.max(1, run.at.expand.length);
  }

  /** The number of events of a run at a step. With expansions, a step ends before the next expansion. */
  timeOf(run: Run, step = this.step.value): number {
    void run.chunks.value;
    if (this.unit.value === "events") return Math.min(step, run.events);
    if (step === 0) return 0;
    if (this.unit.value === "seconds") return lastBelow(run.moments!, step + 1) + 1;
    return run.at.expand[step] ?? run.events;
  }

  /** The first step at which an event of a run has happened. */
  stepAfter(run: Run, event: number): number {
    if (this.unit.value === "events") return event + 1;
    return Math.max(1, this.unit.value === "seconds" ? run.moments![event] : lastBelow(run.at.expand, event + 1) + 1);
  }

  go(step: number): void {
    this.step.value = Math.max(0, Math.min(this.end.value, Math.round(step)));
  }

  move(steps: number): void {
    this.isPlaying.value = false;
    this.go(this.step.value + steps);
  }

  /** A step forward (1) or back (-1); by time, to the next moment at which something happens in a run. */
  stepBy(direction: 1 | -1): void {
    if (this.unit.value !== "seconds") {
      this.move(direction);
      return;
    }
    this.isPlaying.value = false;
    const shown = this.runs.map((run) => ({ moments: run.moments!, time: this.timeOf(run) }));
    if (direction > 0) this.go(Math.max(1, Math.min(...shown.map(({ moments, time }) => moments[time] ?? this.end.value))));
    else {
      const latest = Math.max(0, ...shown.map(({ moments, time }) => moments[time - 1] ?? 0));
      this.go(Math.max(0, ...shown.map(({ moments }) => moments[lastBelow(moments, latest)] ?? 0)));
    }
  }

  toggle(): void {
    if (!this.isPlaying.value && this.step.value >= this.end.value) this.go(0);
    this.isPlaying.value = !this.isPlaying.value;
  }

  /** Go to the next event of a kind, in the first run that has one; whether there is one. */
  next(...kinds: Kind[]): boolean {
    this.isPlaying.value = false;
    const steps = this.runs.flatMap((run) => {
      const time = this.timeOf(run);
      return kinds.flatMap((kind) => {
        const events = run.at[kind];
        const place = lastBelow(events, time) + 1;
        return place < events.length ? [this.stepAfter(run, events[place])] : [];
      });
    });
    if (!steps.length) return false;
    this.go(Math.min(...steps));
    return true;
  }

  /** Change the unit, and stay at the same event of the first run. */
  measureIn(unit: Unit): void {
    const [run] = this.runs;
    const time = this.timeOf(run);
    this.unit.value = unit;
    this.go(time ? this.stepAfter(run, time - 1) : 0);
  }

  private readonly tick = (now: number): void => {
    if (!this.isPlaying.value) return;
    const perSecond = this.unit.value === "seconds" ? this.end.value / this.duration.value : this.speed.value;
    this.due += ((now - this.last) / PER_SECOND) * perSecond;
    this.last = now;
    const whole = Math.floor(this.due);
    if (whole) {
      this.due -= whole;
      this.go(this.step.value + whole);
    }
    if (this.step.value >= this.end.value) this.isPlaying.value = false;
    else requestAnimationFrame(this.tick);
  };
}
