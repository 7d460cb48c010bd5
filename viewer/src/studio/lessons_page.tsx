// The lessons: texts whose numbers are checked, runs that can be watched, questions whose answers are computed.

import { type Signal, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Job, type LessonKind, ask, words } from "./api.ts";
import { EMPTY, type SearchForm, addressOf } from "./form.ts";
import { Figure } from "./search_page.tsx";
import { Watch } from "./watch.tsx";
import { Problem } from "./widgets.tsx";

interface Part {
  kind: "prose" | "run" | "measure" | "audit" | "table" | "question";
  needs: string[];
  html?: string;
  ask?: string;
  explain?: string;
  choices?: string[];
  rows?: string[];
  columns?: string[];
  name?: string;
  title?: string;
  about?: string;
  slow?: boolean;
  form?: Partial<SearchForm> | null;
}

interface Computed {
  figures: [string, string][];
  texts: [string, string][];
  watched: boolean;
}

interface Stated {
  text: string;
  expression: string;
  /** What was computed in its place; null if the text is right. */
  instead: string | null;
}

interface Known {
  stated: Stated[];
  cells?: string[][];
  right?: string;
  value?: unknown;
  error?: string;
}

/** An answer that was given; null for a question whose answer was shown instead. */
interface Answer {
  given: string | null;
  isRight: boolean;
}

type Answers = Record<number, Answer>;

const KEPT = "bestfirst-lessons";

export class LessonsPage {
  readonly name: Signal<string>;
  readonly title = signal("");
  readonly parts: Signal<Part[]> = signal([]);
  readonly computed: Signal<Record<number, Computed>> = signal({});
  readonly known: Signal<Record<number, Known>> = signal({});
  readonly wrong: Signal<Record<number, string>> = signal({});
  readonly doing: Signal<Record<number, string>> = signal({});
  /** The answers of each lesson, kept in the browser. */
  readonly answers: Signal<Record<string, Answers>>;
  readonly failed = signal("");
  readonly recording: Signal<unknown> = signal(null);
  private readonly asked = new Set<string>();
  private job: Job | null = null;

  constructor(readonly lessons: readonly LessonKind[]) {
    this.name = signal("");
    this.answers = signal(kept());
  }

  get mine(): Answers {
    return this.answers.value[this.name.value] ?? {};
  }

  /** How many parts are shown: up to the first question without an answer. */
  get shown(): number {
    const { mine } = this;
    const first = this.parts.value.findIndex((part, place) => part.kind === "question" && !mine[place]);
    return first < 0 ? this.parts.value.length : first + 1;
  }

  open(name: string | null): void {
    const found = this.lessons.find((lesson) => lesson.name === name) ?? this.lessons[0];
    if (found && found.name !== this.name.value) void this.read(found.name);
  }

  private async read(name: string): Promise<void> {
    this.name.value = name;
    this.job?.cancel();
    this.asked.clear();
    this.parts.value = [];
    this.failed.value = "";
    try {
      const lesson = await ask<{ title: string; parts: Part[] }>({ work: "lesson", lesson: name });
      if (this.name.value !== name) return;
      this.title.value = lesson.title;
      this.computed.value = this.known.value = this.wrong.value = this.doing.value = {};
      this.parts.value = lesson.parts;
    } catch (error) {
      this.failed.value = words(error);
      return;
    }
    await this.teach();
  }

  /** Compute the quick parts, and those slow ones that were asked for. */
  private async teach(): Promise<void> {
    this.job?.cancel();
    const job = (this.job = new Job());
    await job.run({ work: "teach", lesson: this.name.value, slow: [...this.asked] }, (message) => {
      const place = message.part as number;
      if (message.begins !== undefined) this.doing.value = { ...this.doing.value, [message.begins as number]: "computing" };
      if (message.doing) this.doing.value = { ...this.doing.value, [place]: message.doing as string };
      if (message.computed) this.computed.value = { ...this.computed.value, [place]: message.computed as Computed };
      if (message.known) this.known.value = { ...this.known.value, [place]: message.known as Known };
      if (message.error && place === undefined) this.failed.value = message.error;
      else if (message.error) this.wrong.value = { ...this.wrong.value, [place]: message.error };
    });
    if (this.job === job) this.doing.value = {};
  }

  compute(part: Part): void {
    this.asked.add(part.name!);
    void this.teach();
  }

  /** The slow parts on which another one depends and that are not computed. */
  missing(part: Part): Part[] {
    return this.parts.value.filter((other, place) => other.slow && part.needs.includes(other.name!) && !this.computed.value[place]);
  }

  async watch(part: Part): Promise<void> {
    this.failed.value = "";
    await new Job().run({ work: "watch", lesson: this.name.value, name: part.name }, (message) => {
      if (message.recording) this.recording.value = message.recording;
      if (message.error) this.failed.value = message.error;
    });
  }

  answer(place: number, given: string | null): void {
    const known = this.known.value[place];
    const isRight = given !== null && known?.right !== undefined && isSame(given, known);
    this.keep({ ...this.answers.value, [this.name.value]: { ...this.mine, [place]: { given, isRight } } });
  }

  again(): void {
    this.keep({ ...this.answers.value, [this.name.value]: {} });
  }

  private keep(answers: Record<string, Answers>): void {
    this.answers.value = answers;
    try {
      localStorage.setItem(KEPT, JSON.stringify(answers));
    } catch {
      // a browser that keeps nothing: the answers last as long as the page
    }
  }
}

function kept(): Record<string, Answers> {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/** Whether an answer is right: a choice, or a number that is equal up to the decimals that it has. */
function isSame(given: string, { right, value }: Known): boolean {
  if (given === right) return true;
  if (typeof value !== "number") return false;
  const plain = given.trim().replaceAll(",", "").replace("\u2212", "-");
  const decimals = plain.split(".")[1]?.length ?? 0;
  return plain !== "" && (decimals ? Math.abs(Number(plain) - value) <= 0.5 * 10 ** -decimals + 1e-9 : Number(plain) === value);
}

export function LessonsView({ page }: { page: LessonsPage }) {
  const { lessons, name, parts, shown } = page;
  const score = (lesson: LessonKind) => Object.values(page.answers.value[lesson.name] ?? {}).filter(({ isRight }) => isRight).length;
  const here = lessons.find((lesson) => lesson.name === name.value);
  const answered = Object.keys(page.mine).length;
  const place = lessons.indexOf(here!);
  return (
    <div class="split">
      <nav class="panel lessons" aria-label="lessons">
        <ol>
          {lessons.map((lesson) => (
            <li key={lesson.name}>
              <a href={`#lessons?name=${encodeURIComponent(lesson.name)}`} aria-current={lesson.name === name.value ? "true" : undefined}>{lesson.title}</a>
              <span class="score" title="right answers, questions">{score(lesson)} / {lesson.questions}</span>
            </li>
          ))}
        </ol>
      </nav>
      <section class="results lesson" aria-label="lesson">
        <Problem words={page.failed.value} />
        {here && (
          <header>
            <h2>{page.title.value}</h2>
            <p class="faint">{here.summary}</p>
            <div class="progress" role="progressbar" aria-label="questions answered" aria-valuemin={0} aria-valuemax={here.questions} aria-valuenow={answered}>
              <i style={{ width: `${(100 * answered) / Math.max(1, here.questions)}%` }} />
            </div>
          </header>
        )}
        {parts.value.slice(0, shown).map((part, number) => <PartView key={`${name.value} ${number}`} page={page} part={part} place={number} />)}
        {here && parts.value.length > 0 && shown === parts.value.length && (here.questions === 0 || answered >= here.questions) && (
          <div class="card end" role="status">
            <h2>{here.questions ? `${score(here)} of ${here.questions} answers are right.` : "The end of the lesson."}</h2>
            <div class="row">
              {here.questions > 0 && <button type="button" onClick={() => page.again()}>Answer again</button>}
              {lessons[place + 1] && <a class="button primary" href={`#lessons?name=${encodeURIComponent(lessons[place + 1].name)}`}>{lessons[place + 1].title}</a>}
            </div>
          </div>
        )}
      </section>
      {page.recording.value !== null && <Watch recording={page.recording.value} close={() => (page.recording.value = null)} />}
    </div>
  );
}

function PartView({ page, part, place }: { page: LessonsPage; part: Part; place: number }) {
  const known = page.known.value[place];
  if (part.kind === "prose") return <Text html={part.html!} known={known} />;
  if (part.kind === "table") return <TableView page={page} part={part} known={known} />;
  if (part.kind === "question") return <QuestionView page={page} part={part} place={place} known={known} />;
  return <ComputedView page={page} part={part} place={place} />;
}

/** Rendered Markdown of a lesson, from the studio's server, which lets no HTML through; its stated numbers are marked. */
function Text({ html, known }: { html: string; known: Known | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const element of frame.current!.querySelectorAll<HTMLElement>("data.stated")) {
      const found = known?.stated.find(({ text, expression }) => text === element.textContent && expression === element.getAttribute("value"));
      element.dataset.state = !found ? "open" : found.instead === null ? "right" : "wrong";
      element.title = !found ? "" : found.instead === null ? "computed by the run" : `the run computes ${found.instead}`;
    }
  });
  return <div class="text" ref={frame} dangerouslySetInnerHTML={{ __html: html }} />;
}

function ComputedView({ page, part, place }: { page: LessonsPage; part: Part; place: number }) {
  const [computed, doing, wrong] = [page.computed.value[place], page.doing.value[place], page.wrong.value[place]];
  return (
    <article class="card computed">
      <header>
        <h3>{part.title}</h3>
        <span class="faint">{part.about}</span>
      </header>
      {wrong && <Problem words={wrong} />}
      {computed && <div class="figures">{computed.figures.map(([name, value]) => <Figure key={name} name={name} value={value} />)}</div>}
      {computed?.texts.map(([title, text]) => <TextOf key={title} title={title} text={text} />)}
      {!computed && !wrong && (doing
        ? <p class="faint" role="status">{doing} {"\u2026"}</p>
        : part.slow
          ? <p><button type="button" onClick={() => page.compute(part)}>Compute it</button> <span class="faint">It takes a while.</span></p>
          : <p class="faint">{"\u2026"}</p>)}
      {part.kind === "run" && (computed?.watched || part.form) && (
        <div class="row">
          {computed?.watched && <button type="button" class="primary" onClick={() => void page.watch(part)}>Watch it step by step</button>}
          {part.form && <a href={`#${addressOf({ ...EMPTY, ...part.form, steps: true })}`}>Change it on the search page</a>}
        </div>
      )}
    </article>
  );
}

const LONG = 14;

function TextOf({ title, text }: { title: string; text: string }) {
  const lines = text.split("\n").length;
  if (lines <= LONG) return <pre aria-label={title}>{text}</pre>;
  return <details><summary>{title}, {lines} lines</summary><pre>{text}</pre></details>;
}

function TableView({ page, part, known }: { page: LessonsPage; part: Part; known: Known | undefined }) {
  if (known?.error) return <Problem words={known.error} />;
  const missing = page.missing(part);
  if (missing.length) return <p class="faint">The table is filled once {"\u201c"}{missing[0].title}{"\u201d"} is computed.</p>;
  return (
    <div class="scroll">
      <table class="compared">
        <thead><tr><th />{part.columns!.map((column) => <th key={column}>{column}</th>)}</tr></thead>
        <tbody>
          {part.rows!.map((row, number) => (
            <tr key={row}><th class="left">{row}</th>{part.columns!.map((column, at) => <td key={column}>{known?.cells?.[number]?.[at] ?? "\u2026"}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function QuestionView({ page, part, place, known }: { page: LessonsPage; part: Part; place: number; known: Known | undefined }) {
  const answer = page.mine[place];
  const typed = useRef<HTMLInputElement>(null);
  const missing = page.missing(part);
  return (
    <article class={`card question ${answer ? (answer.isRight ? "is-right" : "is-wrong") : ""}`}>
      <Text html={part.ask!} known={known} />
      {known?.error && <Problem words={known.error} />}
      {!answer && (known?.right === undefined
        ? <p class="faint">{missing.length ? `Compute \u201c${missing[0].title}\u201d first.` : "\u2026"}</p>
        : part.choices!.length
          ? <div class="row">{part.choices!.map((choice) => <button key={choice} type="button" onClick={() => page.answer(place, choice)}>{choice}</button>)}</div>
          : (
            <form class="row" onSubmit={(event) => { event.preventDefault(); if (typed.current!.value.trim()) page.answer(place, typed.current!.value); }}>
              <input ref={typed} inputMode="decimal" aria-label="your answer" size={8} />
              <button type="submit" class="primary">Answer</button>
            </form>
          ))}
      {!answer && <p><button type="button" class="plain" onClick={() => page.answer(place, null)}>{known?.right === undefined ? "Go on without an answer" : "Show the answer"}</button></p>}
      {answer && (
        <div role="status">
          <p class={answer.isRight ? "good" : "bad"}>
            {answer.isRight ? `Right: ${known?.right ?? answer.given}.` : known?.right === undefined ? "Not answered." : `${answer.given === null ? "" : `Not ${answer.given}. `}The answer is ${known.right}.`}
          </p>
          {part.explain && <Text html={part.explain} known={known} />}
        </div>
      )}
    </article>
  );
}
